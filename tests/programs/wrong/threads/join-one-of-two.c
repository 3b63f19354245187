// The reader joined the first thread only; the second one's result is read too early.
// expect: race

#include <pthread.h>

int first_result, second_result, sum;

static void* compute_first(void* unused) {
  first_result = 40;
  return unused;
}

static void* compute_second(void* unused) {
  second_result = 2;  // race: A
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, compute_first, 0);
  pthread_create(&second, 0, compute_second, 0);
  pthread_join(first, 0);
  sum = first_result;
  sum += second_result;  // race: A
  pthread_join(second, 0);
  return sum != 40 && sum != 42;
}
