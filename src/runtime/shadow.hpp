// Shadow memory without a fixed address: a page table from 4 KiB pages of the program to what we know about them. Cells (32
// bytes for 8) come on demand, so untouched memory costs nothing, and any layout, ulimit -v or strict overcommit will do.
//
// Each thread keeps a small translation cache in front (ThreadState::pages), so the usual access walks no table.
// Pages are never given back: another thread may be reading one through its cache.
// Thread safety: all functions may be called by anyone; a cell's contents belong to whoever holds it (CellGuard).
#pragma once

#include <sched.h>

#include <atomic>

#include "base/spin_lock.hpp"
#include "checker/race/access.hpp"

namespace heddle {

constexpr u32 kPageShift = 12;
constexpr uptr kPageSize = uptr{1} << kPageShift;
constexpr u32 kCellsPerPage = kPageSize / 8;

// A bit per granule of a page.
template <u32 kBits>
struct PageBits {
  std::atomic<u64> word[kBits / 64];

  void set(u32 at) {
    u64 bit = u64{1} << (at % 64);
    if (!(word[at / 64].load(std::memory_order_relaxed) & bit))
      word[at / 64].fetch_or(bit, std::memory_order_relaxed);
  }
  void reset(u32 at) { word[at / 64].fetch_and(~(u64{1} << (at % 64)), std::memory_order_relaxed); }
  bool test(u32 at) const { return word[at / 64].load(std::memory_order_relaxed) >> (at % 64) & 1; }
};

struct Page {
  std::atomic<race::Cell*> cells;
  PageBits<kCellsPerPage>
      touched;  // cells that remember something: only these need a look when memory is reset
  PageBits<kCellsPerPage> synced;   // granules with an atomic variable or a lock in SyncTable
  PageBits<kCellsPerPage> freed;    // granules of freed heap blocks that nobody has touched since
  PageBits<kCellsPerPage> bound;    // memory that a runtime system keeps a copy of for each thread
  PageBits<kPageSize / 16> blocks;  // where heap blocks start
};

class Shadow {
 public:
  Shadow();

  // The page of an address, made if needed (with its cells if asked). Null only for addresses no program can have.
  Page* page(uptr address);
  Page* page_with_cells(uptr address);
  // Without making it.
  Page* find(uptr address) const;

 private:
  static constexpr u32 kTopBits = 17, kLowBits = 18;  // 47 - 12 bits of page number
  struct Low {
    std::atomic<Page*> page[1u << kLowBits];
  };

  race::Cell* make_cells();

  std::atomic<Low*>* top_;
  SpinLock lock_;
  char* spare_ = nullptr;  // cells are mapped a megabyte at a time
  char* spare_end_ = nullptr;
};

// Holds a cell. Yields after a short spin: the holder may have been descheduled.
class CellGuard {
 public:
  explicit CellGuard(race::Cell& cell) : word_(cell.first.what) {
    for (int spins = 0; __atomic_fetch_or(&word_, race::kLocked, __ATOMIC_ACQUIRE) & race::kLocked;) {
      while (__atomic_load_n(&word_, __ATOMIC_RELAXED) & race::kLocked) {
        if (++spins > 64)
          sched_yield();
        else
          __builtin_ia32_pause();
      }
    }
  }
  ~CellGuard() { __atomic_store_n(&word_, word_ & ~u64{race::kLocked}, __ATOMIC_RELEASE); }
  CellGuard(const CellGuard&) = delete;
  CellGuard& operator=(const CellGuard&) = delete;

 private:
  u64& word_;
};

}  // namespace heddle
