// A detached thread cannot be joined; a semaphore tells that its result is there.
// expect: clean

#include <pthread.h>
#include <semaphore.h>

static sem_t finished;
int result;

static void* worker(void* unused) {
  pthread_detach(pthread_self());
  result = 42;
  sem_post(&finished);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&finished, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  sem_wait(&finished);
  result++;
  return result != 43;
}
