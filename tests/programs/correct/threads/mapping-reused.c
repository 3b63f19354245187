// A mapping is given back by one thread and its addresses are mapped anew by another: two objects, no race.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { kSize = 1 << 16 };
atomic_int unmapped;

static int use_mapping(int value) {
  volatile char* page = mmap(0, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 0;
  int fresh = page[10] == 0;
  page[10] = (char)value;
  munmap((void*)page, kSize);
  return fresh;
}

static void* first(void* failed) {
  int fine = use_mapping(1);
  atomic_store_explicit(&unmapped, 1, memory_order_relaxed);
  return fine ? 0 : failed;
}

int main(void) {
  pthread_t thread;
  void* failed;
  pthread_create(&thread, 0, first, &failed);
  while (!atomic_load_explicit(&unmapped, memory_order_relaxed)) sched_yield();
  int fine = use_mapping(2);
  pthread_join(thread, &failed);
  return !fine || failed;
}
