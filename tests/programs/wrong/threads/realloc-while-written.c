// realloc ends the old block's life (and reads it to copy); another thread still writes there.
// expect: race

#include <pthread.h>
#include <stdlib.h>

static void* user(void* block) {
  ((long*)block)[8] = 1;  // race: A
  return 0;
}

int main(void) {
  pthread_t thread;
  long* block = calloc(16, sizeof *block);
  pthread_create(&thread, 0, user, block);
  long* larger = realloc(block, 4096 * sizeof *block);  // race: A
  pthread_join(thread, 0);
  free(larger);
  return larger == 0;
}
