// The timed wait runs out because nobody signals; the waiter then uses the data as if it had been told.
// expect: race

#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int data;

static void* producer(void* unused) {
  data = 1;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec long_ago = {1, 0};
  int result = 0;
  pthread_create(&thread, 0, producer, 0);
  pthread_mutex_lock(&lock);
  while (result == 0) result = pthread_cond_timedwait(&changed, &lock, &long_ago);
  data = 2;  // race: A
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return result != ETIMEDOUT;
}
