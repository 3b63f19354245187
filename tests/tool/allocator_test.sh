#!/bin/bash
# Programs with allocators of their own: nothing of ours may enter them where the program itself would not.
source "$(dirname "$0")/lib.sh" "$1"

cat >own_malloc.cpp <<'END'
// Counts what goes through its malloc, which libraries and operator new use as they would without Heddle.
#include <stddef.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

std::atomic<bool> busy;
alignas(64) char room[8 << 20];
size_t used;
std::atomic<int> calls;

extern "C" void* malloc(size_t size) noexcept {
  ++calls;
  while (busy.exchange(true, std::memory_order_acquire)) {
  }
  void* block = room + used;
  used += (size + 63) & ~size_t{63};
  busy.store(false, std::memory_order_release);
  return block;
}
extern "C" void free(void*) noexcept {}
extern "C" void* calloc(size_t count, size_t size) noexcept { return malloc(count * size); }
extern "C" void* realloc(void* block, size_t size) noexcept {
  char* larger = static_cast<char*>(malloc(size));
  for (size_t i = 0; block && i < size; ++i) larger[i] = static_cast<char*>(block)[i];
  return larger;
}

bool inside(const void* block) { return block >= room && block < room + sizeof room; }
char* copy;

int main() {
  int before = calls;
  int* volatile number = new int(1);
  copy = strdup("text");
  int made = calls - before;
  bool ours = inside(number) && inside(copy);
  delete number;
  int in_thread = 0;
  // What the standard library allocates for a thread is the creator's affair.
  std::thread([&] {
    int at_start = calls;
    int* volatile mine = new int(2);
    in_thread = calls - at_start;
    ours = ours && inside(mine);
  }).join();
  std::printf("ours %d, made %d, in thread %d\n", ours, made, in_thread);
}
END
for compiler in g++ clang++-19; do
  have $compiler || continue
  for level in -O0 -O2; do
    check "$compiler $level builds own_malloc.cpp" env HEDDLE_CXX=$compiler heddle c++ -g $level -fno-builtin -pthread own_malloc.cpp -o own_malloc
    for way in "" --serial; do
      # shellcheck disable=SC2086
      expect 0 "ours 1, made 2, in thread 1" heddle run $way ./own_malloc
    done
    check "$compiler $level builds it with the shared library" env HEDDLE_CXX=$compiler heddle c++ --heddle-shared -g $level -fno-builtin -pthread own_malloc.cpp -o own_malloc
    expect 0 "ours 1, made 2, in thread 1" heddle run ./own_malloc
  done
done

finish
