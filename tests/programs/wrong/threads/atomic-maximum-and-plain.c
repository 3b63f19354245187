// One thread takes maxima, sums and a difference atomically, the other writes the same words plainly. GCC has no atomic
// maxima, nor sums of floating-point numbers.
// expect: race
// compilers: clang

#include <pthread.h>

int most;
unsigned char least;
double sum;
float rest;

static void* updater(void* unused) {
  __atomic_fetch_max(&most, 3, __ATOMIC_SEQ_CST);    // race: A
  __atomic_fetch_min(&least, 3, __ATOMIC_RELAXED);   // race: B
  __atomic_fetch_add(&sum, 1.5, __ATOMIC_SEQ_CST);   // race: C
  __atomic_fetch_sub(&rest, 1.5f, __ATOMIC_ACQ_REL);  // race: D
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, updater, 0);
  most = 1;   // race: A
  least = 1;  // race: B
  sum = 1;    // race: C
  rest = 1;   // race: D
  pthread_join(thread, 0);
  return most != 1 && most != 3;
}
