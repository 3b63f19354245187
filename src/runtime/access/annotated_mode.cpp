#include "runtime/access/annotated_mode.hpp"

#include "runtime/access/race_mode.hpp"
#include "runtime/access/touch_words.hpp"
#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/one_by_one.hpp"
#include "runtime/annotated/repeated_touches.hpp"
#include "runtime/state/filter.hpp"

namespace heddle::annotated_mode {
namespace {

// A block all of whose words are annotated, and of which the thread had something pending before: the set only gets a
// new tag.
HEDDLE_INLINE bool annotated_as_before(ThreadState& thread, BlockSet& set, uptr address, bool own) {
  if (set.all_annotated != annotated::g_changes.load(std::memory_order_relaxed) || set.pending ||
      !set.shadow || (set.tag & AccessSets::kNumber) != address >> kBlockShift || !rt().only_annotated ||
      !annotated::only_what_is_annotated())
    return false;
  if (!own) hand_over(thread, set, address, true);
  prepare_repeats(thread, set, ~u64{0}, 0);
  return true;
}

void words(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  BlockSet& set = block_set(thread.sets, address);
  const bool own = set.tag == tag_of(thread.sets, address);
  const u64 words = ((u64{1} << (size / 4)) - 1) << ((address >> 2) & 63);
  // The hook looks for that only where the access is aligned. A set must not wait for touches that do not come.
  if (own && !(words & (flags & race::kWrite ? set.unwritten : set.unread))) return;
  thread.active = false;
  const bool done = ((own && set.repeats) || annotated_as_before(thread, set, address, own)) &&
                    touch_annotated(thread, set, words, flags & race::kWrite, pc);
  thread.active = true;
  if (HEDDLE_LIKELY(done) || annotated::take(thread, address, size, flags, pc)) return;
  if (!annotated::only_what_is_annotated()) return race_mode::words(thread, address, size, flags, pc);
  thread.active = false;
  flush_block(thread, set);  // another block's
  mark_all(thread, address);
  thread.active = true;
}

void bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (annotated::take(thread, address, size, flags, pc)) return;
  const bool in_line = (flags & (race::kPlain | race::kBound)) == race::kPlain;
  if (annotated::only_what_is_annotated())
    return in_line ? mark_line(thread, address) : note_bytes(thread, address, size, flags);
  race_mode::bytes(thread, address, size, flags, pc);
}

// Block by block: some may have annotated data.
void range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  if (rt().only_annotated && !annotated::g_bounds.overlaps(address, address + size)) return;
  for (const uptr end = address + size; address < end;) {
    uptr stop = (address & ~(kBlockSize - 1)) + kBlockSize;
    if (stop > end) stop = end;
    if (!annotated::take(thread, address, static_cast<u32>(stop - address), flags, pc) &&
        !annotated::only_what_is_annotated())
      race_mode::range(thread, address, stop - address, flags, pc);
    address = stop;
  }
}

}  // namespace

constexpr AccessMode kMode{words, bytes, range, false, false};

}  // namespace heddle::annotated_mode
