#include "runtime/annotated/one_by_one.hpp"

#include "runtime/annotated/firsts.hpp"
#include "runtime/annotated/repeated_touches.hpp"
#include "runtime/races/block_check.hpp"
#include "runtime/races/pending.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/filter.hpp"

namespace heddle::annotated {
namespace {

bool touch_group(ThreadState& thread, Group& group, const Access& access, bool is_new) {
  SpinGuard guard(group.lock);
  if (group.members.empty()) return true;
  Now now(thread, nullptr, group.members[0].address & ~(kLineSize - 1), &group, access);
  const Single single = single_of(thread, access, 1);
  forget_obsolete(group.location, group.quiescent_point);
  if (is_new) Rules::intrude(group.location, single, now);
  return Rules::advance(group.location, single, now) != 0;
}

// An access inside one granule, of a block with annotated data or in a region. The answer says which of its bytes are
// settled (Rules::advance).
u8 touch_granule(ThreadState& thread, Page& page, uptr address, u32 size, u64 flags, uptr pc) {
  const bool region = in_region(*thread.context);
  const uptr base = address & ~(kLineSize - 1), granule = address >> 3,
             block_base = address & ~(kBlockSize - 1);
  const u64 part = (u64{1} << size) - 1, bytes = part << (address - base);
  Line* line = region ? &make_line(page, address) : find_line(page, address);
  const u64 single = line ? bytes & line->single : 0;
  const bool grouped = line && line->members && (line->grouped() & bytes);
  // A race is checked once for all repetitions. The key is one that no other access has.
  const u64 key = filter_key(granule, flags) | u64{1} << 62, demand = filter_demand(address & 7, size, flags);
  FilterEntry& entry = filter_entry(thread, granule);
  const bool joins = entry.marked == thread.marked && (entry.what ^ key) >> kFilterShift == 0;
  const bool is_new = region || !joins || (demand & ~entry.what);
  if (!is_new && !single && !grouped) return static_cast<u8>(part << (address & 7));
  const Access now{thread.strand,
                   thread.what | race::what_word(current_site(thread, pc), 0,
                                                 static_cast<u8>(part << (address & 7)), flags)};
  Block& block = page.block(address);
  if (address < thread.stack_touched && address >= thread.stack_low && address < thread.stack_high)
    thread.stack_touched = address & ~(kBlockSize - 1);
  Step& step = step_of(*thread.context);
  // What is not settled yet: only what is annotated can be.
  u64 open = single | (region ? bytes : 0) | (grouped ? line->grouped() & bytes : 0);
  {
    HeldBlock guard(block);
    if (is_new) check_granules(thread, block, block_base, 1u << (granule & 31), now);
    if (line) {
      Now context(thread, &block, base, nullptr, now);
      forget_obsolete(line->location, line->quiescent_point);
      if (single) {
        const u64 words = words_touched(address, address + size);
        step.log.touched(block_base, step.log.size());  // all may be looked up from here on
        bring_firsts(thread, step, *line, base, words, context);
        const bool write = flags & race::kWrite;
        step.log.add_if_new(
            {block_base, words, write ? words : 0, words, 0, 0, 0, claimed_by(thread.number, now.what)});
      }
      if (single) open &= ~single | ~Rules::advance(line->location, single_of(thread, now, single), context);
      context.in_region = true;
      if (const u64 rest = bytes & ~line->single; region && rest && !grouped)
        open &= ~rest | ~Rules::advance(line->location, single_of(thread, now, rest), context);
      note_location(page, address, line->location);
    }
  }
  if (is_new && !region) {
    entry = {joins ? entry.what | demand : key | demand, thread.marked};
    thread.filtered = thread.marked;
  }
  if (grouped)
    for (Member* member = line->members; member; member = member->next)
      if (member->bytes & bytes && touch_group(thread, *member->group, now, is_new)) open &= ~member->bytes;
  return static_cast<u8>(~open >> ((address & ~uptr{7}) - base) & part << (address & 7));
}

// Words that are touched as a whole and settled need not come here again.
void mark(BlockSet& set, uptr address, u32 size, u8 settled, bool write) {
  for (const uptr word : {address & ~uptr{7}, (address & ~uptr{7}) + 4}) {
    const u8 bytes = static_cast<u8>(0x0f << (word & 4));
    if (word < address || word + 4 > address + size || (settled & bytes) != bytes) continue;
    const u64 bit = u64{1} << (word >> 2 & 63);
    set.unread &= ~bit;
    if (write) set.unwritten &= ~bit;
  }
}

}  // namespace

bool take(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(g_looks_at_calls)) leave_function(thread);
  const bool region = in_region(*thread.context);
  Page* page = region ? rt().shadow.page(address) : rt().shadow.find(address);
  if (!page) return false;
  if (!region) {
    const AnnotatedPage* annotations = page->annotations.load(std::memory_order_acquire);
    if (!annotations || !(annotations->blocks.load(std::memory_order_relaxed) & block_bit(address)))
      return false;
  }
  thread.active = false;
  BlockSet* set = set_of(thread, address, flags & race::kWrite);
  const u64 words = words_touched(address, address + size);
  const bool plain = (flags & (race::kPlain | race::kBound)) == race::kPlain;
  if (!region && plain && set && ((address | size) & 3) == 0) {
    const u32 changes = g_changes.load(std::memory_order_relaxed);
    const AnnotatedWords all = annotated_words(*page, address);
    set->all_annotated = all.annotated == ~u64{0} && !all.closely ? changes : 0;
    const u64 is_new = words & (flags & race::kWrite ? set->unwritten : set->unread);
    if (is_new && !set->repeats && !(words & all.closely))
      prepare_repeats(thread, *set, all.annotated, all.closely);
    if (!is_new || (set->repeats && touch_annotated(thread, *set, words, flags & race::kWrite, pc))) {
      thread.active = true;
      return true;
    }
  }
  if (set && set->pending & words) flush_block(thread, *set);
  for (const uptr end = address + size; address < end;) {
    u32 here = 8 - (address & 7);
    if (here > end - address) here = static_cast<u32>(end - address);
    const u8 settled = touch_granule(thread, *page, address, here, flags, pc);
    if (set && plain) mark(*set, address, here, settled, flags & race::kWrite);
    address += here;
  }
  thread.active = true;
  return true;
}

}  // namespace heddle::annotated
