#include "base/memory.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "base/check.hpp"
#include "base/spin_lock.hpp"
#include "base/system_call.hpp"

namespace heddle::memory {
namespace {

// Chunks of 256 KiB: large enough that mmap is rare, small enough that a tiny program stays tiny.
constexpr usize kChunk = 256 * 1024;
// Classes are multiples of 16 bytes up to 512, then powers of two up to 16 KiB.
constexpr usize kFine = 512;
constexpr usize kLargest = 16 * 1024;
constexpr usize kClasses = kFine / 16 + 5;

struct FreeBlock {
  FreeBlock* next;
};
struct SizeClass {
  SpinLock lock;
  FreeBlock* free = nullptr;
};

SizeClass g_classes[kClasses];
SpinLock g_chunk_lock;
char* g_chunk = nullptr;
char* g_chunk_end = nullptr;
std::atomic<usize> g_mapped{0};
usize g_limit = 0;

// What is touched here and there takes a page of the processor's table each; the kernel can give 2 MiB that need only
// one. Small programs stay small: they get them when they have needed some already.
constexpr usize kHuge = usize{2} << 20;
constexpr usize kSmallProgram = usize{6} << 20;
SpinLock g_dense_lock;
usize g_dense_bytes = 0;
char* g_dense = nullptr;
char* g_dense_end = nullptr;

usize class_of(usize bytes) {
  if (bytes <= kFine) return (bytes + 15) / 16 - 1;
  usize index = kFine / 16;
  for (usize size = kFine * 2; size < bytes; size *= 2) ++index;
  return index;
}
usize class_size(usize index) {
  return index < kFine / 16 ? (index + 1) * 16 : kFine << (index - kFine / 16 + 1);
}

char* cut(usize bytes) {
  SpinGuard guard(g_chunk_lock);
  if (static_cast<usize>(g_chunk_end - g_chunk) < bytes) {
    g_chunk = static_cast<char*>(map_dense(kChunk));
    g_chunk_end = g_chunk + kChunk;
  }
  char* block = g_chunk;
  g_chunk += bytes;
  return block;
}

usize round_to_page(usize bytes) { return (bytes + 4095) & ~usize{4095}; }

}  // namespace

// The system call itself: mmap and munmap are intercepted in the target.
void* map(usize bytes) {
  bytes = round_to_page(bytes);
  long address =
      system_call(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (is_error(address)) {
    fatal(
        "out of memory: the kernel gives no more for the analysis (see ulimit -v, cgroup limits). "
        "What was found so far is reported.");
  }
  usize before = g_mapped.fetch_add(bytes, std::memory_order_relaxed);
  if (g_limit && before + bytes > g_limit)
    fatal(
        "the analysis needs more memory than the option memory-limit-mb allows. What was found so far is "
        "reported.");
  return reinterpret_cast<void*>(address);
}

void* map_aligned(usize bytes) {
  char* block = static_cast<char*>(map(bytes + kHuge));
  const usize before = (kHuge - reinterpret_cast<uptr>(block) % kHuge) % kHuge;
  if (before) unmap(block, before);
  if (before < kHuge) unmap(block + before + round_to_page(bytes), kHuge - before);
  return block + before;
}

// Wishes, all of them: without them all is as it was.
void* map_huge(usize bytes) {
  void* block = map_aligned(bytes);
  system_call(SYS_madvise, block, bytes, MADV_HUGEPAGE);
  return block;
}

void become_huge(void* block, usize bytes) {
#ifndef MADV_COLLAPSE
  constexpr int MADV_COLLAPSE = 25;  // since Linux 6.1
#endif
  system_call(SYS_madvise, block, bytes, MADV_HUGEPAGE);
  system_call(SYS_madvise, block, bytes, MADV_COLLAPSE);
}

void* map_dense(usize bytes) {
  bytes = round_to_page(bytes);
  SpinGuard guard(g_dense_lock);
  g_dense_bytes += bytes;
  if (g_dense_bytes < kSmallProgram || bytes > kHuge) return map(bytes);
  if (static_cast<usize>(g_dense_end - g_dense) < bytes) {
    g_dense = static_cast<char*>(map_huge(kHuge));
    g_dense_end = g_dense + kHuge;
  }
  char* block = g_dense;
  g_dense += bytes;
  return block;
}

void set_limit(usize bytes) { g_limit = bytes; }

void unmap(void* block, usize bytes) {
  bytes = round_to_page(bytes);
  system_call(SYS_munmap, block, bytes);
  g_mapped.fetch_sub(bytes, std::memory_order_relaxed);
}

usize mapped_bytes() { return g_mapped.load(std::memory_order_relaxed); }

namespace {

// A thread's own stock of small blocks, so that it need not meet the others for each. Made with the first block.
struct Stock {
  static constexpr u32 kMost = 24;
  u32 count[kFine / 16];
  FreeBlock* free[kFine / 16];
};
__thread Stock* t_stock __attribute__((tls_model("initial-exec"))) = nullptr;
__thread bool t_ended __attribute__((tls_model("initial-exec"))) = false;
bool g_has_stocks = true;

FreeBlock* take_shared(usize index) {
  SizeClass& list = g_classes[index];
  SpinGuard guard(list.lock);
  FreeBlock* block = list.free;
  if (block) list.free = block->next;
  return block;
}

void give_shared(usize index, FreeBlock* first, FreeBlock* last) {
  SizeClass& list = g_classes[index];
  SpinGuard guard(list.lock);
  last->next = list.free;
  list.free = first;
}

// Half of it, or all.
void give_back(Stock& stock, usize index, u32 keep) {
  FreeBlock *first = stock.free[index], *last = nullptr;
  for (; stock.count[index] > keep; --stock.count[index]) {
    last = stock.free[index];
    stock.free[index] = last->next;
  }
  if (last) give_shared(index, first, last);
}

// Fresh memory is zero, what was used before is not.
void* take(usize bytes, bool& fresh) {
  fresh = true;
  if (bytes > kLargest) return bytes < kHuge ? map(bytes) : map_huge(bytes);
  const usize index = class_of(bytes);
  FreeBlock* block = nullptr;
  if (t_stock && bytes <= kFine && t_stock->count[index]) {
    block = t_stock->free[index];
    t_stock->free[index] = block->next;
    --t_stock->count[index];
  } else {
    block = take_shared(index);
  }
  fresh = !block;
  return block ? block : static_cast<void*>(cut(class_size(index)));
}

}  // namespace

void* allocate(usize bytes) {
  bool fresh;
  void* block = take(bytes, fresh);
  return fresh ? block : memset(block, 0, bytes);
}

void* allocate_unzeroed(usize bytes) {
  bool fresh;
  return take(bytes, fresh);
}

void release(void* block, usize bytes) {
  if (!block) return;
  if (bytes > kLargest) return unmap(block, bytes);
  const usize index = class_of(bytes);
  auto* free = static_cast<FreeBlock*>(block);
  if (bytes > kFine || t_ended || !g_has_stocks) return give_shared(index, free, free);
  if (!t_stock) t_stock = static_cast<Stock*>(map(sizeof(Stock)));
  Stock& stock = *t_stock;
  if (stock.count[index] == Stock::kMost) give_back(stock, index, Stock::kMost / 2);
  free->next = stock.free[index];
  stock.free[index] = free;
  ++stock.count[index];
}

void share_everything() { g_has_stocks = false; }

void thread_ends() {
  t_ended = true;
  if (!t_stock) return;
  for (usize index = 0; index < kFine / 16; ++index) give_back(*t_stock, index, 0);
  unmap(t_stock, sizeof(Stock));
  t_stock = nullptr;
}

}  // namespace heddle::memory
