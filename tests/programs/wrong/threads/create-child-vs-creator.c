// The creator goes on to write after pthread_create; creation orders only what came before it.
// expect: race

#include <pthread.h>

int shared;

static void* child(void* unused) {
  shared = 1;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = 0;
  pthread_create(&thread, 0, child, 0);
  shared = 2;  // race: A
  pthread_join(thread, 0);
  return 0;
}
