// One thread writes inside the critical section, the other after leaving it: ordered only if the first thread
// goes first.
// expect: predicted

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, visits;

static void* inside(void* unused) {
  pthread_mutex_lock(&lock);
  visits++;
  x = 1;  // race: A
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* outside(void* unused) {
  pthread_mutex_lock(&lock);
  visits++;
  pthread_mutex_unlock(&lock);
  x = 2;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, inside, 0);
  pthread_create(&two, 0, outside, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return visits != 2;
}
