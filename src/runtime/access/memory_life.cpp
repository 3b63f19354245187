#include "runtime/access/memory_life.hpp"

#include "runtime/annotated/memory.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/races/line_sets.hpp"
#include "runtime/races/pending.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/races/strand_context.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/filter.hpp"

namespace heddle {
namespace {

// Calls visit(page, address, end) for the part of the range in every page that we know.
template <class Visit>
void for_each_page(uptr begin, uptr end, Visit visit) {
  auto known = [&](uptr at) { return rt().shadow.skip_unknown(at, end); };
  for (uptr at = known(begin); at < end; at = known((at & ~(kPageSize - 1)) + kPageSize)) {
    Page* page = rt().shadow.find(at);
    if (!page) continue;
    uptr stop = (at & ~(kPageSize - 1)) + kPageSize;
    visit(*page, at, stop < end ? stop : end);
  }
}

// Calls visit(block, granules, address of the block) for every block that the range, inside one page, reaches into.
template <class Visit>
void for_each_block(Page& page, uptr begin, uptr end, Visit visit) {
  for (uptr at = begin; at < end; at = (at & ~(kBlockSize - 1)) + kBlockSize) {
    uptr base = at & ~(kBlockSize - 1);
    u32 granules = ~0u << (at >> 3 & 31);
    if (end < base + kBlockSize) granules &= ~0u >> ((base + kBlockSize - end) / 8);
    visit(page.block(at), granules, base);
  }
}

// Takes the bits of the range, inside one page, away, calling visit(address of the granule) for each that was set.
template <class Visit>
void take_bits(PageBits<kGranulesPerPage>& bits, uptr begin, uptr end, Visit visit) {
  if (!bits.any.load(std::memory_order_relaxed)) return;
  u32 first = (begin & (kPageSize - 1)) / 8;
  u32 last = first + static_cast<u32>((end - begin + 7) / 8);
  for (u32 word = first / 64; word * 64 < last; ++word) {
    u64 set = bits.word[word].load(std::memory_order_relaxed);
    if (!set) continue;
    if (first > word * 64) set &= ~u64{0} << (first - word * 64);
    if (last < word * 64 + 64) set &= ~u64{0} >> (word * 64 + 64 - last);
    if (!set) continue;
    bits.word[word].fetch_and(~set, std::memory_order_relaxed);
    for (; set; set &= set - 1)
      visit((begin & ~(kPageSize - 1)) + (word * 64 + static_cast<u32>(__builtin_ctzll(set))) * uptr{8});
  }
}

// What the strand did to the memory that was here does not count for the memory that is here now.
void forget_own_bytes(ThreadState& thread, uptr begin, uptr end) {
  if (thread.stream || thread.filtered != thread.marks_stamp) return;
  if ((end - begin) / 8 >= ThreadState::kFilter) {
    __builtin_memset(static_cast<void*>(thread.filter), 0, sizeof(FilterEntry) * ThreadState::kFilter);
  } else {
    for (uptr granule = begin >> 3; granule <= (end - 1) >> 3; ++granule) filter_entry(thread, granule) = {};
  }
}
void forget_own_words(ThreadState& thread, uptr begin, uptr end) {
  if (thread.stream) return;   // it marks nothing
  end = (end + 7) & ~uptr{7};  // as the shadow forgets: whole granules
  flush_pending(thread, begin, end);
  forget_lines(thread, begin, end);
  AccessSets& sets = thread.sets;
  if ((end - begin) >> kBlockShift >= AccessSets::kBlocks) {
    for (u32 slot = 0; slot < AccessSets::kBlocks; ++slot) sets.blocks[slot].tag = 0;
  } else {
    for (uptr at = begin & ~(kBlockSize - 1); at < end; at += kBlockSize)
      for_each_set(thread, at, [&](BlockSet& set) {
        u64 words = ~u64{0};
        if (begin > at) words &= ~u64{0} << (begin >> 2 & 63);
        if (end < at + kBlockSize) words &= ~u64{0} >> (63 - ((end - 1) >> 2 & 63));
        set.unread |= words;
        set.unwritten |= words;
      });
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
  if (ThreadState* thread = self()) forget_own_words(*thread, address & ~uptr{7}, address + size);
  new_memory_between_strands(address, size);
}

void new_memory_between_strands(uptr address, usize size) {
  const uptr end = (address + size + 7) & ~uptr{7};
  address &= ~uptr{7};
  if (ThreadState* thread = self()) {
    recorder::new_memory(*thread, address, end - address);
    forget_own_bytes(*thread, address, end);
  }
  for_each_page(address, end, [](Page& page, uptr begin, uptr stop) {
    for_each_block(page, begin, stop, [](Block& block, u32 granules, uptr) {
      if (block.remembers.empty() && !block.freed) return;
      VersionGuard guard(block.lock);
      block.forget(granules);
    });
    take_bits(page.synced, begin, stop, [](uptr granule) { rt().syncs.forget_granule(granule); });
    take_bits(page.bound, begin, stop, [](uptr) {});
    if (HEDDLE_UNLIKELY(g_observer != nullptr)) annotated::forget(page, begin, stop);
  });
}

void claim(ThreadState& thread, u64 claims) {
  if (!thread.active || (thread.context->claims & claims) == claims) return;
  RuntimeScope scope(thread);
  thread.context->claims |= claims;
  thread.mark_sharers.last = 0;  // it marked as one that did not claim so much
}

void heap_allocated(ThreadState& thread, uptr address, usize size, uptr pc) {
  new_memory(address, size);
  if (!running(thread)) return;
  if (thread.stream) recorder::note_own_block(thread, address, size);
  HeapBlock block;
  block.base = address;
  block.size = size;
  block.stack = current_stack(thread, pc);
  block.task = thread.context->task->id;
  block.thread = thread.number;
  block.named = thread.context->claims & race::kNamed;
  if (rt().counts_creations) block.count = thread.context->task->live->created.next(block.stack);
  rt().heap.insert(block);
}

// Only what was touched can race with the end of its life. The free itself is remembered once, with the heap block, and
// a bit for every granule leads there.
void heap_freed(ThreadState& thread, uptr address, uptr pc) {
  if (HEDDLE_UNLIKELY(places::g_any) && thread.active && !thread.quiescent)
    places::stop_at(thread, address, rt().heap.around(address).size, race::kWrite, pc);
  HeapBlock heap = rt().heap.remove(address);
  if (heap.size == 0 || !thread.active || thread.quiescent) return;
  if (thread.stream) {
    if (!rt().order.quiescent(*thread.context->task)) recorder::record_free(thread, address, heap.size, pc);
    return;
  }
  thread.active = false;
  grace::Reading reading(thread.reader);
  constexpr u64 kFlags = race::kWrite | race::kPlain | race::kFree;
  race::Access now{thread.strand, thread.what | race::what_word(current_stack(thread, pc), 0, 0xff, kFlags)};
  rt().heap.freed_by(address, now);
  uptr end = address + heap.size;
  forget_own_words(thread, address, end);
  forget_own_bytes(thread, address, end);
  for (uptr at = address; at < end; at += kPageSize) rt().shadow.page(at);
  rt().shadow.page(end - 1);
  for_each_page(address, end, [&](Page& page, uptr begin, uptr stop) {
    for_each_block(page, begin, stop, [&](Block& block, u32 granules, uptr base) {
      StrandContext context(thread, base);
      HeldBlock guard(block);
      block.remembers.clear(granules, [&](race::Cell& cell, u32 those) {
        context.granules = those;
        Checker::check_last(cell, now, context);
      });
      block.common_reads &= ~granules;
      block.freed |= granules;
    });
  });
  thread.active = true;
}

}  // namespace heddle
