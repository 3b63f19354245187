#include "runtime/access/slow_path.hpp"

#include "base/system_call.hpp"
#include "control/control.hpp"
#include "runtime/access/touch_words.hpp"
#include "runtime/races/at_once.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/shadow/constants.hpp"
#include "runtime/state/access_mode.hpp"
#include "runtime/state/code_classes.hpp"
#include "runtime/state/filter.hpp"

namespace heddle {
namespace {

// Under the verification runtime: others may be what it waits for.
HEDDLE_NOINLINE void give_way(ThreadState& thread, uptr pc) {
  thread.gives_way = false;
  { RuntimeScope scope(thread); }
  control::yield("reads memory again and again", pc);
}

HEDDLE_INLINE void count_touch(ThreadState& thread, uptr pc) {
  ++thread.touches;
  if (HEDDLE_UNLIKELY(thread.gives_way)) give_way(thread, pc);
}

// One more read of what many tasks read: the set only changes hands.
HEDDLE_INLINE bool read_in_common(ThreadState& thread, uptr address, u32 size) {
  BlockSet& set = block_set(thread.sets, address);
  if (!set.common || set.pending || (set.tag & AccessSets::kNumber) != address >> kBlockShift ||
      thread.gives_way || !g_mode->shares_reads)
    return false;
  if (!counts(thread.sets, set.tag, address, false)) hand_over(thread, set, address, false);
  mark_common_reads(thread, set);
  if (set.unread >> (address >> 2 & 63) & ((u64{1} << (size / 4)) - 1)) return false;
  ++thread.touches;
  return true;
}
// A set that is the task's, with nothing pending so far: as touch_words(). False, and nothing is done, if there is more
// to it.
HEDDLE_INLINE bool touch_clean_set(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  const bool write = flags & race::kWrite;
  const Strength strength = flags & race::kPlain ? Strength::kPlain : Strength::kAtomic;
  BlockSet& set = block_set(thread.sets, address, strength);
  if (set.pending || !set.shadow || set.common || !counts(thread.sets, set.tag, address, write, strength) ||
      !g_mode->shares_reads)
    return false;
  u64 words = ((u64{1} << (size / 4)) - 1) << (address >> 2 & 63);
  words &= write ? set.unwritten : set.unread;
  if (!words) return true;
  thread.active = false;
  make_dirty(thread, set);
  (write ? set.write_site : set.read_site) = current_site(thread, pc);
  set.pending = words;
  set.unread &= ~words;
  if (write) set.unwritten &= ~words;
  thread.active = true;
  return true;
}

bool may_check_at_once(const ThreadState& thread, uptr address, u32 size) {
  return (address & 7) + size <= 8 && g_mode->checks_at_once && !code::g_any && !thread.gives_way;
}
// Histories tell of constants, too.
HEDDLE_INLINE bool does_not_matter(const ThreadState& thread, uptr address) {
  return constants::contain(address) && !thread.stream;
}

}  // namespace

void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active)) return;
  const bool plain = flags & race::kPlain;
  if (HEDDLE_UNLIKELY(thread.quiescent) || does_not_matter(thread, address))
    return plain ? mark_all(thread, address) : void();
  if (thread.at_once.any() && may_check_at_once(thread, address, size)) {
    thread.active = false;
    const bool checked = check_at_once(thread, address, size, flags, pc);
    thread.active = true;
    if (checked) return void(++thread.touches);
  }
  if (plain && !(flags & race::kWrite) && read_in_common(thread, address, size)) return;
  if (code::ignores(thread, pc)) return;
  count_touch(thread, pc);
  if (touch_clean_set(thread, address, size, flags, pc)) return;
  g_mode->words(thread, address, size, flags, pc);
}

void first_touch_of_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active)) return;
  if (HEDDLE_UNLIKELY(thread.quiescent) || does_not_matter(thread, address))
    return mark_line(thread, address);
  if (code::ignores(thread, pc)) return;
  count_touch(thread, pc);
  g_mode->bytes(thread, address, size, flags, pc);
}

void access_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active)) return;
  if (HEDDLE_UNLIKELY(thread.quiescent) || does_not_matter(thread, address)) {
    if (thread.marked) note_bytes(thread, address, size, flags);
    return;
  }
  if (code::ignores(thread, pc)) return;
  count_touch(thread, pc);
  g_mode->bytes(thread, address, size, flags, pc);
}

bool is_mapped(uptr address) {
  unsigned char resident;
  return system_call(SYS_mincore, address & ~(kPageSize - 1), 1, &resident) == 0;
}

namespace {

// A loop that is counted wrongly, as by iterators of a vector that another thread has replaced, is reported before it
// runs into memory that is not there: then shadow for all of that would be made in vain.
constexpr usize kLarge = usize{1} << 20;

HEDDLE_NOINLINE usize mapped_part(uptr address, usize size) {
  usize part = 0;
  while (part < size && is_mapped(address + part)) part += kLarge;
  return part < size ? part : size;
}

}  // namespace

void access_range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  if (!thread.active || thread.quiescent || size == 0 || does_not_matter(thread, address) ||
      code::ignores(thread, pc))
    return;
  if (HEDDLE_UNLIKELY(size > kLarge)) size = mapped_part(address, size);
  count_touch(thread, pc);
  g_mode->range(thread, address, size, flags, pc);
}

}  // namespace heddle
