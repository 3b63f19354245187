// One thread reads the block, the other frees it: unordered, so the read may come after the free.
// expect: race

#include <pthread.h>
#include <stdlib.h>

long* block;
long seen;

static void* reader(void* unused) {
  seen = block[8];  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  block = calloc(16, sizeof *block);
  pthread_create(&thread, 0, reader, 0);
  free(block);  // race: A
  pthread_join(thread, 0);
  return 0;
}
