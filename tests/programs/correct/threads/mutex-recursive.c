// A recursive mutex stays held until the last unlock; the write after the inner unlock is still guarded.
// expect: clean

#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int inner, outer;

static void add_inner(void) {
  pthread_mutex_lock(&lock);
  inner++;
  pthread_mutex_unlock(&lock);
}

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  add_inner();
  outer++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return inner != 2 || outer != 2;
}
