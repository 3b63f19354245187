// The thread that joins is not the one that created; its own end then orders the result for main.
// expect: clean

#include <pthread.h>

static pthread_t producer_thread;
int product;

static void* producer(void* unused) {
  product = 6;
  return unused;
}

static void* collector(void* unused) {
  pthread_join(producer_thread, 0);
  product *= 7;
  return unused;
}

int main(void) {
  pthread_t collector_thread;
  pthread_create(&producer_thread, 0, producer, 0);
  pthread_create(&collector_thread, 0, collector, 0);
  pthread_join(collector_thread, 0);
  return product != 42;
}
