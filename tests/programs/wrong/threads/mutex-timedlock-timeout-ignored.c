// The deadline has passed long ago, so the timed lock gives up at once; the thread writes without the lock.
// expect: race

#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void* impatient(void* result) {
  struct timespec long_ago = {1, 0};
  *(int*)result = pthread_mutex_timedlock(&lock, &long_ago);
  shared = 1;  // race: A
  return 0;
}

int main(void) {
  pthread_t thread;
  int result = 0;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, impatient, &result);
  shared = 2;  // race: A
  pthread_join(thread, 0);
  pthread_mutex_unlock(&lock);
  return result != ETIMEDOUT;
}
