// qsort works on the array, through our comparison and by itself, while the creator stores into it.
// expect: race

#include <pthread.h>
#include <stdlib.h>

int numbers[8] = {5, 3, 8, 1, 7, 2, 6, 4};

static int compare(const void* a, const void* b) {
  int left = *(const int*)a;   // race: A
  int right = *(const int*)b;  // race: A
  return (left > right) - (left < right);
}

static void* sort(void* unused) {
  qsort(numbers, 8, sizeof numbers[0], compare);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sort, 0);
  numbers[3] = 9;  // race: A
  pthread_join(thread, 0);
  return 0;
}
