// A cancelled thread runs its cleanup handler some time before the join, not inside pthread_cancel.
// expect: race

#include <pthread.h>
#include <unistd.h>

int state;

static void clean_up(void* unused) {
  (void)unused;
  state = 1;  // race: A
}

static void* sleeper(void* unused) {
  pthread_cleanup_push(clean_up, unused);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, sleeper, 0);
  pthread_cancel(thread);
  state = 2;  // race: A
  pthread_join(thread, &result);
  return result != PTHREAD_CANCELED;
}
