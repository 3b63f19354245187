// The plainest correct program: every access to the counter is under one mutex.
// expect: clean

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* worker(void* unused) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) pthread_create(&thread[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], 0);
  return counter != 300;
}
