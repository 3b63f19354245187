// The slow half of an access: find the cell, hold it, let the checker judge. Also what resets memory.
#include <smmintrin.h>

#include "runtime/access_path.hpp"
#include "runtime/raw_log.hpp"
#include "runtime/recorder.hpp"
#include "runtime/runtime.hpp"
#include "runtime/thread_list.hpp"

namespace heddle {
namespace {

using race::Access;

// The current strand as the checker sees it.
class StrandContext {
 public:
  StrandContext(ThreadState& thread, uptr address) : thread_(thread), address_(address) {}

  const order::Task& task() { return *thread_.context->task; }
  order::Task* find(order::TaskId id) { return rt().order.find(id); }

  bool obsolete(const Access& earlier) { return rt().order.before_solitude(earlier.task(), earlier.index()); }
  bool before_by_structure(const Access& earlier) { return earlier.index() <= lookup(earlier).by_structure; }
  bool before_in_full(const Access& earlier) {
    auto& entry = lookup(earlier);
    if (!entry.full_known) {
      entry.in_full = rt().order.known_in_full(*find(earlier.task()), task());
      entry.full_known = true;
    }
    return earlier.index() <= entry.in_full;
  }
  bool share_a_lock(u32 a, u32 b) { return rt().locksets.share_a_lock(a, b); }
  bool subset(u32 a, u32 b) { return rt().locksets.subset(a, b); }

  // Chunks and tasks that ran on one thread are parallel, but not on what belongs to that thread.
  bool thread_bound(const Access& earlier, const Access& now) {
    const order::Task& other = *find(earlier.task());
    if (other.thread.load(std::memory_order_relaxed) != thread_.number) return false;
    if (earlier.bound() && now.bound()) return true;
    if (in_bound_memory() || thread_list::in_own_tls(address_)) return true;
    if (!shares_frames(other) || !shares_frames(task())) return false;
    if (address_ >= thread_.stack_low && address_ < thread_.stack_high) return true;
    // A buffer that the thread allocated for itself inside the region, and uses in the chunks it gets.
    HeapBlock block = rt().heap.around(address_);
    if (block.size == 0 || block.thread != thread_.number) return false;
    return block.task && find(block.task)->parent == task().parent;
  }

  race::StandsFrom stands_from(const Access& earlier) {
    auto& entry = lookup(earlier);
    if (!entry.stands_known) {
      entry.stands = race::stands_from(*find(earlier.task()), task());
      entry.stands_known = true;
    }
    return entry.stands;
  }

  void race(const Access& earlier, const Access& now, race::Evidence evidence) {
    raw_log::race(thread_, address_, earlier, now, evidence);
  }

 private:
  // The implicit task, and work of the team that is not a task of its own to OpenMP: it runs in the same frames.
  static bool shares_frames(const order::Task& task) {
    auto kind = static_cast<TaskKind>(task.kind);
    return kind == TaskKind::kImplicitTask || kind == TaskKind::kLoopChunk || kind == TaskKind::kSection ||
           kind == TaskKind::kSingle;
  }

  bool in_bound_memory() {
    Page* page = rt().shadow.find(address_);
    return page && page->bound.test((address_ & (kPageSize - 1)) / 8);
  }

  HEDDLE_INLINE ThreadState::OrderCache& lookup(const Access& earlier) {
    auto& entry = thread_.order_cache[earlier.task() % ThreadState::kOrderCache];
    if (HEDDLE_UNLIKELY(entry.key != (u64{earlier.task()} << 32 | thread_.stamp))) ask(entry, earlier);
    return entry;
  }
  HEDDLE_NOINLINE void ask(ThreadState::OrderCache& entry, const Access& earlier) {
    entry = {u64{earlier.task()} << 32 | thread_.stamp,
             rt().order.known_by_structure(*find(earlier.task()), task()),
             0,
             {},
             false,
             false};
  }

  ThreadState& thread_;
  uptr address_;
};

using Checker = race::RaceChecker<StrandContext>;

// Both words at once: aligned 16-byte loads are atomic on every x86-64 with AVX.
Access load(const Access& access) {
  __m128i words = _mm_load_si128(reinterpret_cast<const __m128i*>(&access));
  return {static_cast<u64>(_mm_cvtsi128_si64(words)), static_cast<u64>(_mm_extract_epi64(words, 1))};
}

// What many tasks read: every write that is remembered comes before, and some remembered read stands for this one. Then there is
// nothing to report and nothing to remember, and the cell need not be held: it is enough that these two entries stood there at
// one moment, which the second look at the first entry shows.
bool superfluous_read(const race::Cell& cell, const Access& first, const Access& second, u64 lockset_bits,
                      u64 demand, StrandContext& context) {
  if ((first.what & race::kLocked) || Checker::has_list(cell)) return false;
  bool stands = false;
  for (const Access& earlier : {first, second}) {
    if (earlier.empty()) break;
    if (context.obsolete(earlier)) continue;
    if (earlier.task() == context.task().id) return false;
    if (context.before_by_structure(earlier)) continue;
    if (earlier.write()) return false;
    bool fewer_locks = !earlier.bound() &&
                       (earlier.lockset() == 0 || ((earlier.what ^ lockset_bits) & race::kLocksetMask) == 0);
    if (stands || !fewer_locks || !race::as_strong(earlier.what, demand)) continue;
    race::StandsFrom from = context.stands_from(earlier);
    stands = earlier.index() >= from.by_structure && earlier.index() >= from.in_full;
  }
  if (!stands) return false;
  Access again = load(cell.first);
  return again.strand == first.strand && again.what == first.what;
}

// The set of an address, from now on the current strand's. Null for addresses no program can have.
HEDDLE_INLINE BlockSet* set_of(ThreadState& thread, uptr address) {
  BlockSet& block = block_set(thread.sets, address);
  u64 tag = tag_of(thread.sets, address);
  if (HEDDLE_LIKELY(block.tag == tag)) return &block;
  bool same_block = block.tag >> AccessSets::kStampBits == address >> AccessSets::kBlockShift;
  if (!same_block || !block.page) {
    Page* page = rt().shadow.page_with_cells(address);
    if (!page) return nullptr;
    block.page = page;
  }
  block.read = block.written = 0;
  block.tag = tag;
  return &block;
}

// The first touch of a granule after its block was freed: the free comes before it in the cell.
void recall_free(Page& page, u32 index, uptr address) {
  page.freed.reset(index);
  HeapBlock block = rt().heap.around(address);
  race::Cell& cell = page.cells.load(std::memory_order_relaxed)[index];
  if (!block.freed || !cell.first.empty()) return;
  cell.first.strand = block.freed_by.strand;
  cell.first.what = block.freed_by.what | race::kLocked;
}

}  // namespace

namespace {

// Two accesses of one strength are one access to both their bytes; of two strengths the filter keeps the later.
void remember_in_filter(ThreadState& thread, uptr granule, u64 demand) {
  FilterEntry& entry = filter_entry(thread, granule);
  u64 bytes = u64{0xff} << race::kBytesShift;
  u64 key = granule << kFilterShift | demand;
  bool joins = entry.strand == thread.strand && ((entry.what ^ key) & ~bytes) == 0;
  entry = {joins ? entry.what | key : key, thread.strand};
}

HEDDLE_INLINE void remember(ThreadState& thread, BlockSet& block, uptr address, u64 demand) {
  u64 bytes = demand >> race::kBytesShift & 0xff;
  bool low = (bytes & 0x0f) == 0x0f, high = (bytes & 0xf0) == 0xf0;
  bool whole_units = (low || !(bytes & 0x0f)) && (high || !(bytes & 0xf0)) && (demand & race::kPlain);
  if (HEDDLE_UNLIKELY(!whole_units)) return remember_in_filter(thread, address >> 3, demand);
  u64 units = (u64{low} | u64{high} << 1) << ((address >> 2) & 62);
  block.read |= units;
  if (demand & race::kWrite) block.written |= units;
}

}  // namespace

void access_slow(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active || thread.alone)) return;
  if (HEDDLE_UNLIKELY(thread.stream != nullptr)) return recorder::access(thread, address, size, flags, pc);
  BlockSet* block = set_of(thread, address);
  if (HEDDLE_UNLIKELY(!block)) return;
  Page& page = *block->page;
  u32 index = (address & (kPageSize - 1)) / 8;
  u64 bytes = u64{((1u << size) - 1) << (address & 7)} & 0xff;
  u64 demand = bytes << race::kBytesShift | (flags & race::kDemand);
  race::Cell& cell = page.cells.load(std::memory_order_relaxed)[index];
  __builtin_prefetch(&cell + 4, 1);  // loops go on: the next cells are four lines of shadow for one of data
  Access first = load(cell.first), second = load(cell.second);
  // The strand's own entry in the cell is as good as its set, from which it may have been displaced.
  if ((first.strand == thread.strand && race::as_strong(first.what, demand)) ||
      (second.strand == thread.strand && race::as_strong(second.what, demand)))
    return remember(thread, *block, address, demand);
  StrandContext context(thread, address);
  if (flags == race::kPlain && !first.empty() && !(first.write() && second.empty()) &&
      superfluous_read(cell, first, second, thread.what, demand, context))
    return remember(thread, *block, address, demand);

  thread.active = false;
  Access now{thread.strand, thread.what | race::what_word(current_site(thread, pc), 0, 0, flags) |
                                bytes << race::kBytesShift};
  // Before the look at `freed`, as heap_freed() sets that before it looks at `touched`: one of the two sees the other.
  page.touched.set(index);
  {
    CellGuard guard(cell);
    if (HEDDLE_UNLIKELY(page.freed.test(index))) recall_free(page, index, address);
    Checker::check(cell, now, context);
  }
  page.touched.set(index);
  if (HEDDLE_UNLIKELY(address < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = address & ~uptr{7};
  remember(thread, *block, address, demand);
  thread.active = true;
}

void access_range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  if (!thread.active || thread.alone || size == 0) return;
  if (thread.stream) return recorder::access(thread, address, size, flags, pc);
  constexpr uptr kBlock = uptr{1} << AccessSets::kBlockShift;
  for (uptr end = address + size; address < end;) {
    // What the strand has already done to the rest of this block, 256 bytes at a look.
    uptr block_end = (address & ~(kBlock - 1)) + kBlock;
    if (end >= block_end && (address & 3) == 0 && (flags & race::kPlain)) {
      const BlockSet& block = block_set(thread.sets, address);
      u64 units = ~u64{0} << (address >> 2 & 63);
      u64 known = flags & race::kWrite ? block.written : block.read;
      if ((~known & units) == 0 && block.tag == tag_of(thread.sets, address)) {
        address = block_end;
        continue;
      }
    }
    u32 part = 8 - (address & 7);
    if (part > end - address) part = static_cast<u32>(end - address);
    access_slow(thread, address, part, flags, pc);
    address += part;
  }
}

namespace {

// Calls visit(page, word, mask, address of the word's first granule) for every word of bits that the range reaches into.
template <u32 kBits, class Visit>
void for_each_word(uptr begin, uptr end, PageBits<kBits> Page::*bits, Visit visit) {
  constexpr uptr kGranule = kPageSize / kBits;
  for (uptr at = begin; at < end; at = (at & ~(kPageSize - 1)) + kPageSize) {
    Page* page = rt().shadow.find(at);
    if (!page) continue;
    uptr page_begin = at & ~(kPageSize - 1);
    uptr stop = end < page_begin + kPageSize ? end : page_begin + kPageSize;
    u32 first = static_cast<u32>((at - page_begin) / kGranule);
    u32 last = static_cast<u32>((stop - page_begin + kGranule - 1) / kGranule);
    for (u32 word = first / 64; word * 64 < last; ++word) {
      u64 mask = ~u64{0};
      if (first > word * 64) mask &= ~u64{0} << (first - word * 64);
      if (last < word * 64 + 64) mask &= ~u64{0} >> (word * 64 + 64 - last);
      visit(*page, (page->*bits).word[word], mask, page_begin + word * 64 * kGranule);
    }
  }
}

// Takes the bits of the range away, calling visit(page, index, address of the granule) for each that was set.
template <u32 kBits, class Visit>
void take_bits(uptr begin, uptr end, PageBits<kBits> Page::*bits, Visit visit) {
  constexpr uptr kGranule = kPageSize / kBits;
  for_each_word(begin, end, bits, [&](Page& page, std::atomic<u64>& word, u64 mask, uptr address) {
    u64 set = word.load(std::memory_order_relaxed) & mask;
    if (!set) return;
    word.fetch_and(~set, std::memory_order_relaxed);
    for (; set; set &= set - 1) {
      uptr granule = address + static_cast<u32>(__builtin_ctzll(set)) * kGranule;
      visit(page, static_cast<u32>((granule & (kPageSize - 1)) / kGranule), granule);
    }
  });
}

// What the strand did to the memory that was here does not count for the memory that is here now.
void forget_own_accesses(ThreadState& thread, uptr begin, uptr end) {
  // A block in which little is new keeps what else it knows.
  AccessSets& sets = thread.sets;
  if (end - begin < kPageSize / 8) {
    for (uptr unit = begin & ~uptr{3}; unit < end; unit += 4) {
      u64 others = ~(u64{1} << (unit >> 2 & 63));
      block_set(sets, unit).read &= others;
      block_set(sets, unit).written &= others;
    }
  } else if ((end - begin) >> AccessSets::kBlockShift >= AccessSets::kBlocks) {
    for (u32 slot = 0; slot < AccessSets::kBlocks; ++slot) sets.blocks[slot].tag = 0;
  } else {
    for (uptr at = begin; at < end + 256; at += 256) block_set(sets, at).tag = 0;
  }
  if ((end - begin) / 8 >= ThreadState::kFilter) {
    __builtin_memset(static_cast<void*>(thread.filter), 0, sizeof(FilterEntry) * ThreadState::kFilter);
  } else {
    for (uptr granule = begin >> 3; granule <= (end - 1) >> 3; ++granule) filter_entry(thread, granule) = {};
  }
}

}  // namespace

void bind_to_thread(uptr address, usize size) {
  recorder::note_bound_memory();
  for (uptr granule = address & ~uptr{7}; granule < address + size; granule += 8)
    if (Page* page = rt().shadow.page(granule)) page->bound.set((granule & (kPageSize - 1)) / 8);
}

// REQUIRES: the range begins at a granule; heap blocks, stacks and mappings do. Its last granule is taken whole.
void new_memory(uptr address, usize size) {
  if (!g_runtime || size == 0) return;
  uptr end = address + size;
  address &= ~uptr{7};
  if (ThreadState* thread = self()) {
    recorder::new_memory(*thread, address, end - address);
    forget_own_accesses(*thread, address, end);
  }
  take_bits(address, end, &Page::touched, [](Page& page, u32 index, uptr) {
    race::Cell& cell = page.cells.load(std::memory_order_relaxed)[index];
    CellGuard guard(cell);
    Checker::clear(cell);
  });
  take_bits(address, end, &Page::synced, [](Page&, u32, uptr granule) {
    for (uptr byte = granule; byte < granule + 8; ++byte) rt().syncs.forget(byte);
  });
  auto nothing = [](Page&, u32, uptr) {};
  take_bits(address, end, &Page::freed, nothing);
  take_bits(address, end, &Page::bound, nothing);
}

void heap_allocated(ThreadState& thread, uptr address, usize size, uptr pc) {
  new_memory(address, size);
  if (!running(thread)) return;
  if (thread.stream) recorder::note_own_block(thread, address, size);
  rt().heap.insert(
      {address, size, current_stack(thread, pc), thread.context->task->id, thread.number, false, {}});
}

// Only what was touched can race with the end of its life. The free itself is remembered once, with the block, and a bit for
// every granule leads there.
void heap_freed(ThreadState& thread, uptr address, uptr pc) {
  HeapBlock block = rt().heap.remove(address);
  if (block.size == 0 || !thread.active || thread.alone) return;
  if (thread.stream) {
    if (!rt().order.alone(*thread.context->task)) recorder::record_free(thread, address, block.size, pc);
    return;
  }
  thread.active = false;
  constexpr u64 kFlags = race::kWrite | race::kPlain | race::kFree;
  Access now{thread.strand, thread.what | race::what_word(current_stack(thread, pc), 0, 0xff, kFlags)};
  rt().heap.freed_by(address, now);
  uptr end = address + block.size;
  for (uptr at = address; at < end; at += kPageSize) rt().shadow.page(at);
  rt().shadow.page(end - 1);
  for_each_word(address, end, &Page::freed, [](Page&, std::atomic<u64>& word, u64 mask, uptr) {
    word.fetch_or(mask, std::memory_order_relaxed);
  });
  take_bits(address, end, &Page::touched, [&](Page& page, u32 index, uptr granule) {
    race::Cell& cell = page.cells.load(std::memory_order_relaxed)[index];
    CellGuard guard(cell);
    StrandContext context(thread, granule);
    Checker::check_and_clear(cell, now, context);
  });
  forget_own_accesses(thread, address, end);
  thread.active = true;
}

}  // namespace heddle
