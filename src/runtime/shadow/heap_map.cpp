#include "runtime/shadow/heap_map.hpp"

namespace heddle {
namespace {
constexpr u32 slot(uptr address) { return static_cast<u32>((address & (kPageSize - 1)) / 16); }
}  // namespace

void HeapMap::insert(const HeapBlock& block) {
  Page* page = shadow_.page(block.base);
  if (!page) return;
  page->heap_blocks.set(slot(block.base));
  Shard& s = shard(block.base);
  SpinGuard guard(s.lock);
  s.map[block.base] = block;
}

HeapBlock HeapMap::remove(uptr base) {
  Shard& s = shard(base);
  SpinGuard guard(s.lock);
  HeapBlock* block = s.map.find(base);
  if (!block || block->freed) return {};
  block->freed = true;
  return *block;
}

void HeapMap::freed_by(uptr base, race::Access access) {
  Shard& s = shard(base);
  SpinGuard guard(s.lock);
  if (HeapBlock* block = s.map.find(base)) block->freed_by = access;
}

HeapBlock HeapMap::around(uptr address) {
  // A block that was split and reused leaves its old start behind inside a larger one: look a little further back then.
  uptr at = address & ~uptr{15};
  for (int pages = 0; pages < 1 << 20; ++pages) {
    Page* page = shadow_.find(at);
    if (!page) return {};
    for (u32 i = slot(at) + 1; i-- > 0;) {
      if (!page->heap_blocks.test(i)) {
        if (i % 64 == 63 && page->heap_blocks.word[i / 64].load(std::memory_order_relaxed) == 0) i &= ~63u;
        continue;
      }
      uptr base = (at & ~(kPageSize - 1)) + uptr{i} * 16;
      Shard& s = shard(base);
      SpinGuard guard(s.lock);
      HeapBlock* block = s.map.find(base);
      if (block && address < block->base + block->size) return *block;
      if (block && !block->freed) return {};
    }
    if (at < kPageSize) return {};
    at = (at & ~(kPageSize - 1)) - 16;
  }
  return {};
}

}  // namespace heddle
