// The address of a local variable goes to a child; parent and child both write it.
// expect: race

#include <pthread.h>

static void* child(void* local) {
  *(int*)local = 1;  // race: A
  return 0;
}

int main(void) {
  pthread_t thread;
  int local = 0;
  pthread_create(&thread, 0, child, &local);
  local = 2;  // race: A
  pthread_join(thread, 0);
  return local == 0;
}
