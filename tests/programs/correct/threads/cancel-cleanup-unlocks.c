// A cancelled waiter owns the mutex again while its cleanup handler runs; the handler notes it and unlocks.
// expect: clean

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int cancelled, waiting;

static void give_back(void* unused) {
  (void)unused;
  cancelled = 1;
  pthread_mutex_unlock(&lock);
}

static void* waiter(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(give_back, unused);
  waiting = 1;
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, waiter, 0);
  pthread_cancel(thread);
  pthread_mutex_lock(&lock);
  waiting++;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, &result);
  return result != PTHREAD_CANCELED || cancelled != 1;
}
