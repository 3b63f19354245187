// Shadow memory without a fixed address: a page table from 4 KiB pages of the program to what we know about them, made
// when first touched. So untouched memory costs nothing, and any layout, ulimit -v or strict overcommit will do.
//
// A page is sixteen blocks of 256 bytes; what a block remembers is race::BlockCells. Each thread keeps a pointer to the
// block beside its access set (BlockSet), so the usual access walks no table. Pages are never freed: another
// thread may be using one. Thread safety: all functions may be called by anyone; a block's contents belong to the
// thread that holds it.
#pragma once

#include <atomic>

#include "base/spin_lock.hpp"
#include "base/system_call.hpp"
#include "checker/race/block_cells.hpp"

namespace heddle {

constexpr u32 kPageShift = 12;
constexpr uptr kPageSize = uptr{1} << kPageShift;
constexpr u32 kBlockShift = 8;
constexpr uptr kBlockSize = uptr{1} << kBlockShift;
constexpr u32 kLineShift = 6;
constexpr uptr kLineSize = uptr{1} << kLineShift;
constexpr u32 kGranulesPerPage = kPageSize / 8;

// A bit per granule of a page.
template <u32 kBits>
struct PageBits {
  std::atomic<u64> word[kBits / 64];
  std::atomic<bool> any;  // was ever set: most pages need not be looked through

  void set(u32 at) {
    u64 bit = u64{1} << (at % 64);
    if (word[at / 64].load(std::memory_order_relaxed) & bit) return;
    word[at / 64].fetch_or(bit, std::memory_order_relaxed);
    any.store(true, std::memory_order_relaxed);
  }
  bool test(u32 at) const { return word[at / 64].load(std::memory_order_relaxed) >> (at % 64) & 1; }
};

// A lock that lets a reader detect concurrent changes (a sequence lock).
class VersionLock {
 public:
  void lock() {
    for (int spins = 0;;) {
      u32 version = version_.load(std::memory_order_relaxed);
      if (!(version & 1) && version_.compare_exchange_weak(version, version + 1, std::memory_order_acquire))
        return;
      if (++spins > 64)
        system_call(SYS_sched_yield);
      else
        __builtin_ia32_pause();
    }
  }
  // Only if nothing has changed since then.
  bool try_lock(u32 version) {
    return !(version & 1) &&
           version_.compare_exchange_strong(version, version + 1, std::memory_order_acquire);
  }
  void unlock() { version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  // Odd while it is held.
  u32 look() const { return version_.load(std::memory_order_acquire); }
  // What was read since then was there all at once.
  bool unchanged_since(u32 version) const {
    std::atomic_thread_fence(std::memory_order_acquire);
    return !(version & 1) && version_.load(std::memory_order_relaxed) == version;
  }

 private:
  std::atomic<u32> version_{0};
};

class VersionGuard {
 public:
  explicit VersionGuard(VersionLock& lock) : lock_(lock) { lock_.lock(); }
  ~VersionGuard() { lock_.unlock(); }
  VersionGuard(const VersionGuard&) = delete;
  VersionGuard& operator=(const VersionGuard&) = delete;

 private:
  VersionLock& lock_;
};

// One line of cache for 256 bytes. Only the holder changes it.
struct alignas(64) Block {
  VersionLock lock;
  u32 freed;  // granules of freed heap blocks without later accesses
  race::BlockCells remembers;
  u32 quiescent_point;  // order::Structure::quiescent_points() when it was last checked: what is older is obsolete
  // What many tasks read: these granules remember nothing but reads, one of which stands for any read by a task of this
  // scope.
  u32 common_reads;
  const order::Scope* common_to;

  void forget(u32 granules) {
    remembers.clear(granules);
    freed &= ~granules;
    common_reads &= ~granules;
  }
  void forget_before(u32 last_quiescent_point) {
    if (HEDDLE_LIKELY(quiescent_point == last_quiescent_point)) return;
    remembers.clear_all();
    freed = common_reads = 0;
    quiescent_point = last_quiescent_point;
  }
};
static_assert(sizeof(Block) == 64);

namespace annotated {
struct Line;
class BlockPairs;
}  // namespace annotated
// Beside a page with annotated data: see runtime/annotated/annotated.hpp.
struct AnnotatedPage {
  std::atomic<annotated::Line*> lines[kPageSize / 64];
  std::atomic<u32> blocks;  // those with annotated data, as bits
  // Words of a block that are annotated, each by itself; and those that are annotated in part or in a group.
  struct AnnotatedWords {
    std::atomic<u64> annotated, closely;
  } words[kPageSize / kBlockSize];
  std::atomic<u32> paired;  // those beside which a pair is remembered
  std::atomic<annotated::BlockPairs*> pairs[kPageSize / kBlockSize];  // of one critical section
};

struct Page {
  Block blocks[kPageSize / kBlockSize];
  PageBits<kGranulesPerPage> synced;     // granules with an atomic variable or a lock in SyncTable
  PageBits<kGranulesPerPage> bound;      // memory that a runtime system keeps a copy of for each thread
  PageBits<kPageSize / 16> heap_blocks;  // where heap blocks start
  std::atomic<AnnotatedPage*> annotations;

  Block& block(uptr address) { return blocks[(address & (kPageSize - 1)) >> kBlockShift]; }
  // The page of the block of an address: cheaper than to look for it.
  static const Page& around(const Block& block, uptr address) {
    static_assert(offsetof(Page, blocks) == 0);
    return reinterpret_cast<const Page&>(
        (&block)[-static_cast<long>((address & (kPageSize - 1)) >> kBlockShift)]);
  }
  bool is_synced(uptr address) const { return synced.test((address & (kPageSize - 1)) / 8); }
};

class Shadow {
 public:
  Shadow();

  // Can a program have such an address?
  static bool covers(uptr address) { return !(address >> (kTopBits + kLowBits + kPageShift)); }
  // The page of an address, made if needed. Null only for those that are not covered.
  Page* page(uptr address);
  // Without making it.
  Page* find(uptr address) const;
  // Between `address` and what this returns, `end` at the most, there is no page; large stretches are passed at once.
  uptr skip_unknown(uptr address, uptr end) const;
  // Calls visit(page) for all that there are.
  template <class Visit>
  void for_each_page(Visit visit) const {
    for (const Low* low = __atomic_load_n(&lows_, __ATOMIC_ACQUIRE); low; low = low->next)
      for (u32 stretch = 0; stretch < kStretches; ++stretch) {
        if (!low->any[stretch].load(std::memory_order_acquire)) continue;
        constexpr u32 kPages = 1u << (kStretchShift - kPageShift);
        for (u32 i = 0; i < kPages; ++i)
          if (Page* page = low->page[stretch * kPages + i].load(std::memory_order_acquire)) visit(*page);
      }
  }

 private:
  static constexpr u32 kTopBits = 17, kLowBits = 18;  // 47 - 12 bits of page number
  static constexpr u32 kStretchShift = 21;
  static constexpr u32 kStretches = 1u << (kLowBits + kPageShift - kStretchShift);
  struct Low {
    Low* next;
    std::atomic<bool> any[kStretches];  // page in this stretch
    std::atomic<Page*> page[1u << kLowBits];
  };

  std::atomic<Low*>* top_;
  Low* lows_ = nullptr;
  SpinLock lock_;
  Page* spare_ = nullptr;  // pages are mapped many at a time
  Page* spare_end_ = nullptr;
};

}  // namespace heddle
