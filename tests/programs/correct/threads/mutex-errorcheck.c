// An error-checking mutex refuses a second lock; the refused call changes nothing, the mutex is held once.
// expect: clean

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int counter, refused;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  refused += pthread_mutex_lock(&lock) == EDEADLK;
  counter++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter != 2 || refused != 2;
}
