// A sixteen-byte vector store covers the integer in its last lane.
// expect: race

#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));
union lanes {
  v4 all;
  int lane[4];
};
union lanes lanes;

static void* store_all(void* unused) {
  lanes.all = (v4){1, 2, 3, 4};  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, store_all, 0);
  lanes.lane[3] = 5;  // race: A
  pthread_join(thread, 0);
  return lanes.lane[0] != 1;
}
