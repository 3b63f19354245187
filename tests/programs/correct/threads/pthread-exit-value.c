// A result block is made by the thread, handed over by pthread_exit in a nested call, freed by the joiner.
// expect: clean

#include <pthread.h>
#include <stdlib.h>

static void finish(int value) {
  int* result = malloc(sizeof *result);
  *result = value;
  pthread_exit(result);
}

static void* worker(void* argument) {
  finish(*(int*)argument + 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  int input = 41;
  void* result;
  pthread_create(&thread, 0, worker, &input);
  pthread_join(thread, &result);
  int value = ++*(int*)result;
  free(result);
  return value != 43;
}
