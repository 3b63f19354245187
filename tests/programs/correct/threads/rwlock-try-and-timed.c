// The try and timed forms of the reader-writer lock guard as well as the plain ones, if their result counts.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void* writer(void* unused) {
  while (pthread_rwlock_trywrlock(&lock) != 0) sched_yield();
  value++;
  pthread_rwlock_unlock(&lock);
  struct timespec far;
  clock_gettime(CLOCK_REALTIME, &far);
  far.tv_sec += 100;
  if (pthread_rwlock_timedwrlock(&lock, &far) != 0) return unused;
  value++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* reader(void* seen) {
  while (pthread_rwlock_tryrdlock(&lock) != 0) sched_yield();
  *(int*)seen = value;
  pthread_rwlock_unlock(&lock);
  struct timespec far;
  clock_gettime(CLOCK_REALTIME, &far);
  far.tv_sec += 100;
  if (pthread_rwlock_timedrdlock(&lock, &far) != 0) return 0;
  *(int*)seen = value;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread[3];
  int seen[2] = {-1, -1};
  pthread_create(&thread[0], 0, writer, 0);
  pthread_create(&thread[1], 0, reader, &seen[0]);
  pthread_create(&thread[2], 0, reader, &seen[1]);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], 0);
  return value != 2 || seen[0] < 0 || seen[1] < 0;
}
