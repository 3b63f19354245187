// A thirty-two-byte vector store covers the integer in its last lane. (clang does not report such accesses.)
// expect: race
// compilers: gcc
// flags: -mavx

#include <pthread.h>

typedef int v8 __attribute__((vector_size(32)));
union lanes {
  v8 all;
  int lane[8];
};
union lanes lanes;

static void* store_all(void* unused) {
  lanes.all = (v8){1, 2, 3, 4, 5, 6, 7, 8};  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, store_all, 0);
  lanes.lane[7] = 9;  // race: A
  pthread_join(thread, 0);
  return 0;
}
