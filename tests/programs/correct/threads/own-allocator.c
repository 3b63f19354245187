// The program's own malloc: each thread has a stock of blocks, which comes from a list that a spin lock protects.
// Libraries call it too, also in threads that have hardly begun.
// expect: clean
// flags: -fno-builtin

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { kBatch = 4, kRoom = 16 << 20, kSmall = 256 };

struct block {
  size_t size;
  struct block* next;
};

static atomic_flag busy = ATOMIC_FLAG_INIT;
static struct block* shared_blocks;  // of kSmall bytes
static _Alignas(64) char room[kRoom];
static size_t used;
static _Thread_local struct block* own_blocks;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
  }
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static struct block* cut(size_t size) {
  struct block* block = (struct block*)(room + used);
  used += (sizeof *block + size + 63) & ~(size_t)63;
  block->size = size;
  return block;
}

static void take_batch(void) {
  lock();
  for (int i = 0; i < kBatch; ++i) {
    struct block* block = shared_blocks;
    if (block)
      shared_blocks = block->next;
    else
      block = cut(kSmall);
    block->next = own_blocks;
    own_blocks = block;
  }
  unlock();
}

void* malloc(size_t size) {
  struct block* block;
  if (size > kSmall) {
    lock();
    block = cut(size);
    unlock();
    return block + 1;
  }
  if (!own_blocks) take_batch();
  block = own_blocks;
  own_blocks = block->next;
  return block + 1;
}
void free(void* memory) {
  struct block* block = (struct block*)memory - 1;
  if (!memory || block->size > kSmall) return;
  lock();
  block->next = shared_blocks;
  shared_blocks = block;
  unlock();
}
void* calloc(size_t count, size_t size) {
  void* memory = malloc(count * size);
  return memset(memory, 0, count * size);
}
void* realloc(void* memory, size_t size) {
  if (!memory) return malloc(size);
  struct block* block = (struct block*)memory - 1;
  if (size <= block->size) return memory;
  void* larger = malloc(size);
  memcpy(larger, memory, block->size);
  free(memory);
  return larger;
}

static void* work(void* unused) {
  for (int round = 0; round < 20; ++round) {
    int* values = malloc(sizeof(int) * 8);
    for (int i = 0; i < 8; ++i) values[i] = round;
    free(values);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  int* blocks[32];
  for (int i = 0; i < 32; ++i) {
    blocks[i] = malloc(40);
    blocks[i][0] = i;
  }
  for (int i = 0; i < 4; ++i) {
    pthread_create(&threads[i], 0, work, 0);
    for (int k = 0; k < 8; ++k) free(blocks[8 * i + k]);  // some of them for the new thread
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return used == 0;
}
