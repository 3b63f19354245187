// Both threads do their work under the lock, then note who was last after they have left it.
// Whoever goes first, neither write lies before an unlock, so no lock order can stand between them.
// expect: race

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int jobs;
long last_worker;

static void* worker(void* id) {
  pthread_mutex_lock(&lock);
  jobs++;
  pthread_mutex_unlock(&lock);
  last_worker = (long)id;  // race: A
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, (void*)1);
  pthread_create(&two, 0, worker, (void*)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return jobs != 2;
}
