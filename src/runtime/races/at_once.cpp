#include "runtime/races/at_once.hpp"

#include "runtime/races/block_check.hpp"
#include "runtime/races/block_sets.hpp"
#include "runtime/shadow/block_words.hpp"

namespace heddle {
namespace {

using race::Access;

// Is the new access at least as strong, under the same locks?
HEDDLE_INLINE bool covers(const Access& now, const Access& earlier) {
  return (((earlier.what ^ now.what) & race::kLocksetMask) | (earlier.what & ~now.what & race::kDemand)) == 0;
}
HEDDLE_INLINE bool same_task(const Access& a, const Access& b) { return (a.strand ^ b.strand) >> 32 == 0; }

HEDDLE_NOINLINE bool ask_whether_before(ThreadState& thread, const Access& earlier) {
  return StrandContext(thread, 0).before_by_structure(earlier);
}
HEDDLE_INLINE bool comes_before(ThreadState& thread, const Access& earlier, const Access& now) {
  if (same_task(earlier, now)) return true;
  const ThreadState::OrderCache& known = thread.order_cache[earlier.task() % ThreadState::kOrderCache];
  if (HEDDLE_LIKELY(known.key == (u64{earlier.task()} << 32 | thread.order_stamp) &&
                    thread.record_reuses == rt().order.records().reuses()))
    return earlier.index() <= known.by_structure;
  return ask_whether_before(thread, earlier);
}

// Nothing to report: they do not conflict, or a lock keeps them apart.
bool agree(ThreadState& thread, const Access& earlier, const Access& now) {
  return !race::conflict(earlier, now) ||
         StrandContext(thread, 0).share_a_lock(earlier.lockset(), now.lockset());
}

// The second access of a cell, beside one of another task that does not come before. False if one of the two may stand
// for the other.
HEDDLE_NOINLINE bool add_beside(ThreadState& thread, race::BlockCells::Place at, const Access& now) {
  const Access& first = *at.first;
  if (!at.second || covers(now, first) || !agree(thread, first, now)) return false;
  const race::StandsFrom from = StrandContext(thread, 0).stands_from(first);
  if (first.index() >= from.by_structure || first.index() >= from.in_full) return false;
  *at.second = now;
  return true;
}

// What RaceChecker::check_few would do with the usual cells of hand-overs and of data that few tasks share. False, and
// nothing is done, if there is more to it.
HEDDLE_INLINE bool replace(ThreadState& thread, race::BlockCells::Place at, const Access& now) {
  Access& first = *at.first;
  // What others read, too, is best only looked at (common_reads.hpp): they need not wait for each other then.
  auto read_by_other = [&](const Access& x) { return !x.write() && !same_task(x, now); };
  if (!now.write() && read_by_other(first)) return false;
  const bool first_before = comes_before(thread, first, now);
  const bool first_goes = first_before && covers(now, first);
  if (!at.second || at.second->empty()) {
    if (first_goes) {
      first = now;
      return true;
    }
    if (!first_before) return add_beside(thread, at, now);
    if (!at.second || !first.write() || now.write()) return false;
    *at.second = now;
    return true;
  }
  Access& second = *at.second;
  if (!(second.strand >> 63)) return false;  // a list
  if (!now.write() && read_by_other(second)) return false;
  const bool second_before = comes_before(thread, second, now);
  const bool second_goes = second_before && covers(now, second);
  if (first_goes && second_goes) {
    first = now;
    second = {};
    return true;
  }
  // What the task did before makes room, beside another task that it does not race with; and so does the last of reads
  // after a write.
  if (second_goes &&
      ((first_before && first.write() && !now.write()) ||
       (same_task(second, now) && !same_task(first, now) && (first_before || agree(thread, first, now))))) {
    second = now;
    return true;
  }
  if (first_goes && same_task(first, now) && !same_task(second, now) &&
      (second_before || agree(thread, second, now))) {
    first = now;
    return true;
  }
  return false;
}

// As set_of(), which here is most often asked for a set that was an earlier strand's.
HEDDLE_INLINE BlockSet* claimed_set(ThreadState& thread, uptr address, bool write, Strength strength) {
  BlockSet& set = block_set(thread.sets, address, strength);
  if (counts(thread.sets, set.tag, address, write, strength) && set.shadow) return &set;
  const u64 other_block = (set.tag ^ number_of(address, strength)) & AccessSets::kNumber;
  if (other_block || !set.shadow || set.pending || shares_marks(thread))
    return claim_set(thread, set, address, write, strength) ? &set : nullptr;
  hand_over(thread, set, address, write, strength);
  return &set;
}

bool check(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  const bool write = flags & race::kWrite;
  BlockSet* set =
      claimed_set(thread, address, write, flags & race::kPlain ? Strength::kPlain : Strength::kAtomic);
  if (!set || set->repeats) return false;
  u64 words = ((u64{1} << (size / 4)) - 1) << (address >> 2 & 63);
  words &= write ? set->unwritten : set->unread;
  if (!words) return true;
  const u32 granule = address >> 3 & 31, bit = 1u << granule;
  // What is pending is checked together with this.
  if ((set->pending >> 2 * granule & 3) || (set->common && !write) || g_observer) return false;
  const StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& site = thread.site_cache[ThreadState::site_slot(caller, pc)];
  if (site.pc != pc || site.caller != caller || (thread.what & race::kClaims)) return false;
  const u64 those = words >> 2 * granule;
  const Access now{thread.strand, thread.what | race::what_word(site.site, 0, 0, flags) |
                                      ((those & 1) * 0x0f | (those >> 1) * 0xf0) << race::kBytesShift};
  Block& block = *set->shadow;
  if (!block.lock.try_lock(block.lock.look())) return false;
  bool checked = false;
  if (block.quiescent_point == rt().order.quiescent_points() && !(block.freed & bit)) {
    const race::BlockCells::Place place = block.remembers.alone(granule);
    checked = place.first && replace(thread, place, now);
    if (checked) block.common_reads &= ~bit;
  }
  block.lock.unlock();
  if (!checked) return false;
  set->unread &= ~words;
  if (write) set->unwritten &= ~words;
  return true;
}

}  // namespace

bool check_at_once(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  grace::Reading reading(thread.reader);
  const bool checked = check(thread, address, size, flags, pc);
  thread.at_once.note(checked);
  return checked;
}

}  // namespace heddle
