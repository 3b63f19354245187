// A heap block that ends in the last word of 256 bytes is written, freed, allocated again and written again, all in
// one stretch: what was done to the old block says nothing about the new one, which another thread writes to as well.
// expect: race

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <atomic>

static std::atomic<int*> handed_over;

static bool ends_in_last_word(const int* block, size_t size) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(block), end = begin + size;
  return end % 256 >= 253 && begin / 256 == end / 256;
}

static void* worker(void*) {
  size_t size = 40;
  int* block = static_cast<int*>(malloc(size));
  while (!ends_in_last_word(block, size) && size < 250) block = static_cast<int*>(malloc(++size));
  block[0] = 1;
  asm volatile("" : : "r"(block) : "memory");
  free(block);
  int* again = static_cast<int*>(malloc(size));
  again[0] = 2;  // race: A
  handed_over.store(again, std::memory_order_relaxed);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  int* block;
  while (!(block = handed_over.load(std::memory_order_relaxed))) {
  }
  block[0] = 3;  // race: A
  pthread_join(thread, nullptr);
  return 0;
}
