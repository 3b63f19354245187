// An access of ten bytes: compilers have no hook for that size.
// expect: race

#include <pthread.h>

long double value;

static void* writes(void* unused) {
  value = 1;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  ((volatile char*)&value)[9] = 1;  // race: A
  pthread_join(thread, 0);
  return 0;
}
