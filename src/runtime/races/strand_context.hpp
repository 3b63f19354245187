// The current strand as the race checker sees it: order questions, answered once for each other task and remembered for
// as long as the strand lasts; locksets; what belongs to a thread.
#pragma once

#include "runtime/log/findings.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_bound.hpp"

namespace heddle {

// A block, locked for a check: what is obsolete has been forgotten.
class HeldBlock {
 public:
  explicit HeldBlock(Block& block) : guard_(block.lock) {
    block.forget_before(rt().order.quiescent_points());
  }

 private:
  VersionGuard guard_;
};

class StrandContext {
 public:
  using Access = race::Access;

  // For accesses to a block of 256 bytes; `granules` are those that the verdict is about.
  StrandContext(ThreadState& thread, uptr block) : thread_(thread), block_(block) {}
  u32 granules = 0;
  bool reported = false;  // or would have been, were the granules not the thread's own

  const order::Task& task() { return *thread_.context->task; }
  order::Task* find(order::TaskId id) { return rt().order.find(id); }

  // See HeldBlock.
  bool obsolete(const Access&) { return false; }
  bool before_by_structure(const Access& earlier) { return earlier.index() <= lookup(earlier).by_structure; }
  bool before_in_full(const Access& earlier) {
    auto& entry = lookup(earlier);
    if (earlier.index() <= entry.in_full) return true;
    if (entry.full_stamp == thread_.stamp) return false;
    entry.in_full = rt().order.known_in_full(*find(earlier.task()), task());
    entry.full_stamp = thread_.stamp;
    return earlier.index() <= entry.in_full;
  }
  bool share_a_lock(u32 a, u32 b) {
    if (a != b) return rt().locksets.share_a_lock(a, b);
    if (a != thread_.lockset) {
      thread_.lockset = a;
      thread_.lockset_excludes = rt().locksets.share_a_lock(a, a);
    }
    return thread_.lockset_excludes;
  }
  bool subset(u32 a, u32 b) { return rt().locksets.subset(a, b); }

  // Chunks and tasks that ran on one thread are parallel, but not on what belongs to that thread.
  bool thread_bound(const Access& earlier, const Access& now) {
    reported = true;
    const Racing racing = this->racing(earlier, now);
    return !racing.surely && !racing.perhaps;
  }

  // Of the granules: those that race for all that is known, and those that do not if they belong to the thread, which
  // cannot be seen.
  struct Racing {
    u32 surely = 0, perhaps = 0;
    Own unless = Own::kNo;
  };
  Racing racing(const Access& earlier, const Access& now) {
    const order::Task& other = *find(earlier.task());
    if (other.thread.load(std::memory_order_relaxed) != thread_.number) return {granules};
    Racing racing;
    for (u32 left = granules; left; left &= left - 1) {
      const uptr address = block_ + static_cast<u32>(__builtin_ctz(left)) * 8u;
      const Own own = whose(thread_, address, other, earlier, now, surroundings_);
      if (own == Own::kYes) continue;
      (own == Own::kNo ? racing.surely : racing.perhaps) |= left & -left;
      if (own != Own::kNo) racing.unless = own;
    }
    return racing;
  }

  race::StandsFrom stands_from(const Access& earlier) {
    auto& entry = lookup(earlier);
    if (!entry.stands_known) {
      const order::Task& other = *find(earlier.task());
      entry.stands_known = other.ended.load(std::memory_order_acquire);
      entry.stands = race::stands_from(other, task());
    }
    return entry.stands;
  }

  // Where both wait for the same join as the current task, what is known for that is known for x, but for what follows
  // from their sections.
  race::StandsFrom stands_from(const Access& y, const Access& x) {
    const order::Task &of_y = *find(y.task()), &of_x = *find(x.task());
    if (&of_y != &of_x && lookup(x).sibling && lookup(y).sibling && !race::sections_in_order(of_x, of_y))
      return stands_from(y);
    return race::stands_from(of_y, of_x);
  }

  // Where it was last time for such a list and lockset, or another that falls on the same place.
  u32& position(const race::AccessList& list, const Access& now) {
    const u64 mixed = (reinterpret_cast<uptr>(&list) >> 4 ^ u64{now.lockset()} << 20) * 0x9e3779b97f4a7c15ull;
    return thread_.list_positions[mixed >> 56];
  }

  void race(const Access& earlier, const Access& now, race::Evidence evidence) {
    const Racing racing = this->racing(earlier, now);
    if (racing.surely) race_in(racing.surely, earlier, now, evidence);
    unless_ = condition(racing.unless);
    if (racing.perhaps) race_in(racing.perhaps, earlier, now, race::Evidence::kPredicted);
    unless_ = nullptr;
  }

  // Where a word was touched, if the block was touched as a whole.
  static StackId site_at(const Access& access, u32 word) {
    return key_of_word(access.site() << 1, word) >> 1;
  }
  static AccessKey key_of_word(AccessKey key, u32 word) {
    return SitePatterns::is_pattern(key >> 1) ? rt().patterns.keys(key >> 1)[word] : key;
  }

 private:
  void race_in(u32 racing, const Access& earlier, const Access& now, race::Evidence evidence) {
    if (HEDDLE_UNLIKELY(g_observer != nullptr))
      g_observer->raced(thread_, block_, racing, earlier, now, evidence);
    if (HEDDLE_UNLIKELY(!rt().options.check_races)) return;
    if (!SitePatterns::is_pattern(earlier.site()) && !SitePatterns::is_pattern(now.site()))
      return report(racing, earlier, now, evidence);
    RacingPatterns& known = racing_patterns(earlier, now, racing);
    const bool certain = evidence == race::Evidence::kCertain;
    if (known.earlier == earlier.what && known.now == now.what && known.granules == racing &&
        known.certain == certain && count_again(known))
      return;
    known = {earlier.what, now.what, racing, certain};
    racing_ = &known;
    for (; racing; racing &= racing - 1) race_in_granule(racing & -racing, earlier, now, evidence);
    racing_ = nullptr;
  }

  void report(u32 racing, const Access& earlier, const Access& now, race::Evidence evidence) {
    auto& counted = raw_log::race(thread_, block_, racing, earlier, now, evidence, unless_);
    if (racing_) note_pair(*racing_, counted);
  }

  // Block after block the same patterns race: what a queue under a mutex hands over.
  using RacingPatterns = ThreadState::RacingPatterns;
  RacingPatterns& racing_patterns(const Access& earlier, const Access& now, u32 racing) {
    const u64 sites = earlier.what >> race::kSiteShift ^ now.what >> (race::kSiteShift - 7) ^ racing;
    return thread_.racing_patterns[static_cast<u32>(sites * 0x9e3779b1u) >> 28];
  }
  static void note_pair(RacingPatterns& racing, ThreadState::Reported& reported) {
    for (u32 i = 0; i < racing.pairs && i < RacingPatterns::kMost; ++i)
      if (racing.pair[i].sites == reported.sites) {
        ++racing.pair[i].hits;
        return;
      }
    if (racing.pairs < RacingPatterns::kMost) racing.pair[racing.pairs] = {&reported, reported.sites, 1};
    if (racing.pairs <= RacingPatterns::kMost) ++racing.pairs;
  }
  static bool count_again(const RacingPatterns& racing) {
    if (racing.pairs > RacingPatterns::kMost) return false;
    for (u32 i = 0; i < racing.pairs; ++i)
      if (racing.pair[i].reported->sites != racing.pair[i].sites) return false;
    for (u32 i = 0; i < racing.pairs; ++i) racing.pair[i].reported->hits += racing.pair[i].hits;
    return true;
  }

  // Its two words may have been touched from different places.
  void race_in_granule(u32 racing, const Access& earlier, const Access& now, race::Evidence evidence) {
    const u32 word = 2 * static_cast<u32>(__builtin_ctz(racing));
    const u8 common = earlier.bytes() & now.bytes();
    const bool one_place =
        site_at(earlier, word) == site_at(earlier, word + 1) && site_at(now, word) == site_at(now, word + 1);
    if (one_place) return report(racing, part(earlier, word, 0xff), part(now, word, 0xff), evidence);
    if (common & 0x0f) report(racing, part(earlier, word, 0x0f), part(now, word, 0x0f), evidence);
    if (common & 0xf0) report(racing, part(earlier, word + 1, 0xf0), part(now, word + 1, 0xf0), evidence);
  }
  // Of these bytes, and from the place where the word was touched.
  static Access part(const Access& access, u32 word, u8 bytes) {
    return {access.strand, race::what_word(site_at(access, word), access.lockset(), access.bytes() & bytes,
                                           access.what & race::kFlags)};
  }

  HEDDLE_INLINE ThreadState::OrderCache& lookup(const Access& earlier) {
    auto& entry = thread_.order_cache[earlier.task() % ThreadState::kOrderCache];
    if (HEDDLE_UNLIKELY(entry.key != (u64{earlier.task()} << 32 | thread_.order_stamp) ||
                        thread_.record_reuses != rt().order.records().reuses()))
      ask(entry, earlier);
    return entry;
  }
  HEDDLE_NOINLINE void ask(ThreadState::OrderCache& entry, const Access& earlier) {
    // What was known of an id may have been about another task.
    if (const u32 reuses = rt().order.records().reuses(); thread_.record_reuses != reuses) {
      thread_.record_reuses = reuses;
      ++thread_.order_stamp;
    }
    const order::Task &other = *find(earlier.task()), &own = task();
    const order::Index known = rt().order.known_by_structure(other, own);
    const bool sibling = own.wait && other.wait == own.wait && other.depth == own.depth;
    entry = {u64{earlier.task()} << 32 | thread_.order_stamp, known, known, {}, 0, false, sibling};
  }

  ThreadState& thread_;
  uptr block_;
  Surroundings surroundings_{block_};
  RacingPatterns* racing_ = nullptr;  // while what races is taken apart
  const char* unless_ = nullptr;      // of what is being reported: it is no race then
};

using Checker = race::RaceChecker<StrandContext>;

}  // namespace heddle
