// A signal handler belongs to the thread that raised the signal; its write races with the other thread's.
// expect: race

#include <pthread.h>
#include <signal.h>

int handled;

static void handler(int number) {
  handled = number;  // race: A
}

static void* raiser(void* unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handler);
  pthread_create(&thread, 0, raiser, 0);
  handled = -1;  // race: A
  pthread_join(thread, 0);
  return handled == 0;
}
