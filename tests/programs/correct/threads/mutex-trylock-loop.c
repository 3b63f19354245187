// Only a trylock that returned 0 leads to the counter; a timed lock with a far deadline does the same.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* by_trylock(void* unused) {
  while (pthread_mutex_trylock(&lock) != 0) sched_yield();
  counter++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* by_timedlock(void* unused) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 100;
  if (pthread_mutex_timedlock(&lock, &deadline) != 0) return unused;
  counter++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, by_trylock, 0);
  pthread_create(&two, 0, by_timedlock, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter != 2;
}
