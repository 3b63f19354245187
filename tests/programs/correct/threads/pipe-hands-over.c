// A pointer sent through a pipe hands the block over: what was written before write() is there after read().
// expect: clean

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void* sender(void* unused) {
  for (int i = 1; i <= 4; i++) {
    int* block = malloc(4 * sizeof *block);
    block[0] = i;
    block[3] = i;
    if (write(ends[1], &block, sizeof block) != sizeof block) return ends;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  int sum = 0;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, 0, sender, 0);
  for (int i = 0; i < 4; i++) {
    int* block;
    if (read(ends[0], &block, sizeof block) != sizeof block) return 1;
    block[0] += block[3];
    sum += block[0];
    free(block);
  }
  pthread_join(thread, 0);
  return sum != 20;
}
