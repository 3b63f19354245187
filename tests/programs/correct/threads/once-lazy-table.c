// pthread_once lets one thread fill the table and orders it before every caller's reading.
// expect: clean

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int squares[8];

static void fill(void) {
  for (int i = 0; i < 8; i++) squares[i] = i * i;
}

static void* look_up(void* number) {
  pthread_once(&once, fill);
  return (void*)(long)squares[(long)number];
}

int main(void) {
  pthread_t thread[3];
  long sum = 0;
  for (long i = 0; i < 3; i++) pthread_create(&thread[i], 0, look_up, (void*)(i + 2));
  for (int i = 0; i < 3; i++) {
    void* result;
    pthread_join(thread[i], &result);
    sum += (long)result;
  }
  return sum != 4 + 9 + 16;
}
