// The waiter takes waking up for the message. It may wake up by itself; in a run in which it did not, only the mutex
// orders the two, so the race is predicted.
// expect: predicted

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int data;

static void* producer(void* unused) {
  data = 42;  // race: A
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);  // so that nobody signals before the wait
  pthread_create(&thread, 0, producer, 0);
  pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  int seen = data;  // race: A
  pthread_join(thread, 0);
  return seen < 0;
}
