// Main holds the mutex all the time, so the trylock fails; the thread writes all the same.
// expect: race

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void* hasty(void* result) {
  *(int*)result = pthread_mutex_trylock(&lock);
  shared = 1;  // race: A
  return 0;
}

int main(void) {
  pthread_t thread;
  int result = 0;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, hasty, &result);
  shared = 2;  // race: A
  pthread_join(thread, 0);
  pthread_mutex_unlock(&lock);
  return result == 0;
}
