// Each thread sorts its own half of the array; the comparison is common code on different data.
// expect: clean

#include <pthread.h>
#include <stdlib.h>

int numbers[8] = {4, 3, 2, 1, 8, 7, 6, 5};

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sort(void* half) {
  qsort(half, 4, sizeof numbers[0], compare);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, sort, numbers);
  pthread_create(&two, 0, sort, numbers + 4);
  pthread_join(one, 0);
  pthread_join(two, 0);
  for (int i = 0; i < 8; i++)
    if (numbers[i] != i + 1) return 1;
  return 0;
}
