// Waiting for a plain flag: a race on the flag itself, and therefore on what it announces.
// expect: race

#include <pthread.h>
#include <sched.h>

long message;
int ready;

static void* sender(void* unused) {
  message = 42;  // race: A
  ready = 1;     // race: B
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  for (int patience = 1000; patience > 0; patience--) {
    if (ready) break;  // race: B
    sched_yield();
  }
  long seen = message;  // race: A
  pthread_join(thread, 0);
  return seen != 0 && seen != 42;
}
