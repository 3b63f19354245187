// A handler sets a volatile sig_atomic_t of its own thread: by raise, and by pthread_kill to oneself.
// expect: clean

#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t received;

static void handler(int number) { received += number == SIGUSR1; }

static void* idle(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  pthread_create(&thread, 0, idle, 0);
  raise(SIGUSR1);
  pthread_kill(pthread_self(), SIGUSR1);
  pthread_join(thread, 0);
  return received != 2;
}
