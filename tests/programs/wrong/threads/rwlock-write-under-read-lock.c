// Two readers may be inside at once, and both bump a statistic there. Readers do not order each other.
// expect: race

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int table[4] = {1, 2, 3, 4};
int hits;

static void* lookup(void* index) {
  pthread_rwlock_rdlock(&lock);
  long found = table[(long)index];
  hits++;  // race: A
  pthread_rwlock_unlock(&lock);
  return (void*)found;
}

int main(void) {
  pthread_t one, two;
  void *first, *second;
  pthread_create(&one, 0, lookup, (void*)0);
  pthread_create(&two, 0, lookup, (void*)3);
  pthread_join(one, &first);
  pthread_join(two, &second);
  return (long)first + (long)second != 5;
}
