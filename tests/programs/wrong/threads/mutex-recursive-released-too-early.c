// A helper unlocks the recursive mutex once more than it has locked it: the caller's last write is unguarded.
// expect: race

#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int entries, total;

static void add_entry(void) {
  pthread_mutex_lock(&lock);
  entries++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);  // this one belongs to the caller
}

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  add_entry();
  total = 5;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return entries != 2;
}
