// Several threads wait for a start signal by broadcast, one of them with a deadline that does not matter.
// expect: clean

#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
int started, input;

static void* wait_for_start(void* result) {
  pthread_mutex_lock(&lock);
  while (!started) pthread_cond_wait(&start, &lock);
  pthread_mutex_unlock(&lock);
  *(int*)result = input;
  return 0;
}

static void* wait_with_deadline(void* result) {
  struct timespec soon = {1, 0};
  pthread_mutex_lock(&lock);
  while (!started) pthread_cond_timedwait(&start, &lock, &soon);
  pthread_mutex_unlock(&lock);
  *(int*)result = input;
  return 0;
}

int main(void) {
  pthread_t thread[3];
  int result[3] = {0};
  pthread_create(&thread[0], 0, wait_for_start, &result[0]);
  pthread_create(&thread[1], 0, wait_for_start, &result[1]);
  pthread_create(&thread[2], 0, wait_with_deadline, &result[2]);
  input = 5;
  pthread_mutex_lock(&lock);
  started = 1;
  pthread_cond_broadcast(&start);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], 0);
  return result[0] + result[1] + result[2] != 15;
}
