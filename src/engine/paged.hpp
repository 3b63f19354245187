// A sparse array over the address space: one T for every 64 bytes of the program, allocated in pages of 4 KiB.
//
// Cost: a lookup is one comparison for one of the pages used last, two loads and a hash otherwise.
#pragma once

#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.hpp"

namespace heddle::engine {

constexpr u32 kBlockShift = 6;
constexpr u64 kBlockBytes = u64{1} << kBlockShift;

// The bits of `size` bytes from `offset` in a block. REQUIRES: they lie within it, and size > 0.
constexpr u64 bytes_mask(u32 offset, u32 size) { return (~u64{0} >> (64 - size)) << offset; }

// Cuts a range into the parts that lie in one block each: visit(address of the block, mask of the bytes).
template <class F>
HEDDLE_INLINE void for_each_block(u64 address, u64 size, F&& visit) {
  u32 offset = static_cast<u32>(address % kBlockBytes);
  if (HEDDLE_LIKELY(offset + size <= kBlockBytes))
    return visit(address - offset, bytes_mask(offset, static_cast<u32>(size)));
  for (u64 left = size; left > 0;) {
    offset = static_cast<u32>(address % kBlockBytes);
    u32 part = static_cast<u32>(left < kBlockBytes - offset ? left : kBlockBytes - offset);
    visit(address - offset, bytes_mask(offset, part));
    address += part;
    left -= part;
  }
}

template <class T>
class Paged {
  static constexpr u32 kPageShift = 12, kChunkShift = 30;
  static constexpr u64 kBlocks = u64{1} << (kPageShift - kBlockShift);
  static constexpr u64 kPages = u64{1} << (kChunkShift - kPageShift);
  struct Page {
    T block[kBlocks];
  };

 public:
  T& operator[](u64 address) {
    u64 number = address >> kPageShift;
    Recent& recent = recent_[number % kRecent];
    if (HEDDLE_UNLIKELY(recent.number != number + 1)) recent = {number + 1, &page(number)};
    return recent.page->block[address >> kBlockShift & (kBlocks - 1)];
  }

  // Every block that exists and has bytes in the range: visit(T&, address of the block, mask of the bytes in the
  // range).
  template <class F>
  void for_range(u64 address, u64 size, F&& visit) {
    u64 last = address + size - 1;
    auto visit_page = [&](u64 number, Page& page) {
      for (u64 i = 0; i < kBlocks; ++i) {
        u64 first_byte = (number << kPageShift) + (i << kBlockShift),
            last_byte = first_byte + kBlockBytes - 1;
        if (last_byte < address || first_byte > last) continue;
        u64 from = address > first_byte ? address : first_byte, to = last < last_byte ? last : last_byte;
        visit(page.block[i], first_byte,
              bytes_mask(static_cast<u32>(from - first_byte), static_cast<u32>(to - from + 1)));
      }
    };
    if ((last >> kPageShift) - (address >> kPageShift) >
        pages_.size()) {  // most of the range was never touched
      for (auto& [number, page] : pages_)
        if (number >= address >> kPageShift && number <= last >> kPageShift) visit_page(number, *page);
      return;
    }
    for (u64 number = address >> kPageShift; number <= last >> kPageShift; ++number)
      if (Page* page = find(number)) visit_page(number, *page);
  }

  template <class F>
  void for_each(F&& visit) {
    for (auto& [number, page] : pages_)
      for (u64 i = 0; i < kBlocks; ++i) visit(page->block[i], (number << kPageShift) + (i << kBlockShift));
  }

  usize memory() const { return pages_.size() * sizeof(Page); }

 private:
  static constexpr u32 kRecent = 64;
  struct Recent {
    u64 number = 0;  // plus one
    Page* page = nullptr;
  };

  Page* find(u64 number) {
    u64 key = number >> (kChunkShift - kPageShift);
    if (key + 1 != last_chunk_) {
      auto found = chunks_.find(key);
      if (found == chunks_.end()) return nullptr;
      last_chunk_ = key + 1;
      chunk_ = found->second.get();
    }
    return chunk_[number & (kPages - 1)];
  }
  Page& page(u64 number) {
    if (Page* known = find(number)) return *known;
    u64 key = number >> (kChunkShift - kPageShift);
    auto& chunk = chunks_[key];
    // Two megabytes of virtual memory, allocated on demand.
    if (!chunk) chunk.reset(static_cast<Page**>(std::calloc(kPages, sizeof(Page*))));
    pages_.emplace_back(number, std::make_unique<Page>());
    return *(chunk[number & (kPages - 1)] = pages_.back().second.get());
  }
  struct Free {
    void operator()(Page** chunk) const { std::free(chunk); }
  };

  Recent recent_[kRecent];
  std::unordered_map<u64, std::unique_ptr<Page*[], Free>> chunks_;
  std::vector<std::pair<u64, std::unique_ptr<Page>>> pages_;
  u64 last_chunk_ = 0;
  Page** chunk_ = nullptr;
};

}  // namespace heddle::engine
