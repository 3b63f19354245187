// Readers share, the writer is alone: a pair is never seen half written.
// expect: clean

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int left, right;

static void* writer(void* unused) {
  for (int i = 0; i < 20; i++) {
    pthread_rwlock_wrlock(&lock);
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

static void* reader(void* unused) {
  long torn = (long)unused;
  for (int i = 0; i < 20; i++) {
    pthread_rwlock_rdlock(&lock);
    torn += left != right;
    pthread_rwlock_unlock(&lock);
  }
  return (void*)torn;
}

int main(void) {
  pthread_t thread[3];
  void* torn[3];
  pthread_create(&thread[0], 0, writer, 0);
  pthread_create(&thread[1], 0, reader, 0);
  pthread_create(&thread[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], &torn[i]);
  return torn[1] || torn[2] || left != 20;
}
