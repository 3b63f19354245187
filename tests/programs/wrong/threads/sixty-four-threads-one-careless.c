// Sixty-three threads lock; one does not.
// expect: race

#include <pthread.h>

enum { kThreads = 64, kCareless = 40 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* careful(void* unused) {
  pthread_mutex_lock(&lock);
  counter += 1;  // race: A
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* careless(void* unused) {
  counter += 1;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&thread[i], 0, i == kCareless ? careless : careful, 0);
  for (int i = 0; i < kThreads; i++) pthread_join(thread[i], 0);
  return counter < 1 || counter > kThreads;
}
