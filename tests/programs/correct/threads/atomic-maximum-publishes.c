// Updates for which clang has one instruction, and ThreadSanitizer no hook, release what a load acquires, and keep to
// their types. GCC has no atomic maxima, nor sums of floating-point numbers.
// expect: clean
// compilers: clang

#include <pthread.h>

int data;
signed char most = -3;
unsigned short least = 40000;
double sum;
float rest;

static void* sender(void* unused) {
  data = 42;
  __atomic_fetch_max(&most, (signed char)-1, __ATOMIC_RELAXED);
  __atomic_fetch_min(&least, (unsigned short)7, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&rest, 1.5f, __ATOMIC_RELAXED);
  __atomic_fetch_add(&sum, 2.5, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  double seen = 0;
  while (seen == 0) __atomic_load(&sum, &seen, __ATOMIC_ACQUIRE);
  const int right = data == 42 && most == -1 && least == 7 && rest == -1.5f && seen == 2.5;
  pthread_join(thread, 0);
  return !right;
}
