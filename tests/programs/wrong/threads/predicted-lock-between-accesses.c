// A critical section orders the writes if the first thread passes it first; the other way round it does not.
// expect: predicted

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, visits;

static void* early(void* unused) {
  x = 1;  // race: A
  pthread_mutex_lock(&lock);
  visits++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* late(void* unused) {
  pthread_mutex_lock(&lock);
  visits++;
  pthread_mutex_unlock(&lock);
  x = 2;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, early, 0);
  pthread_create(&two, 0, late, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return visits != 2;
}
