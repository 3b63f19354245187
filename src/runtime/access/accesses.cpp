// First touches: how they become pending, and how what is pending is judged.
#include "base/system_call.hpp"
#include "control/control.hpp"
#include "runtime/access/access_path.hpp"
#include "runtime/annotated/may_be_meant.hpp"
#include "runtime/annotated/repeated_touches.hpp"
#include "runtime/annotated/watched.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/races/judge.hpp"
#include "runtime/races/strand_context.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/shadow/constants.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle {
namespace {

using race::Access;

constexpr u64 kReads = race::kPlain, kWrites = race::kPlain | race::kWrite;

constexpr uptr block_base(const BlockSet& set) { return (set.tag & AccessSets::kNumber) << kBlockShift; }

// The first touch of a granule after its heap block was freed: the free comes before it.
HEDDLE_NOINLINE void recall_free(Block& block, uptr base, u32 granules) {
  for (u32 left = block.freed & granules; left; left &= left - 1) {
    HeapBlock heap = rt().heap.around(base + static_cast<u32>(__builtin_ctz(left)) * 8u);
    if (!heap.freed) continue;
    block.remembers.update(left & -left, [&](race::Cell& cell, u32) {
      if (cell.empty()) cell.first = heap.freed_by;
    });
  }
  block.freed &= ~granules;
}

// What some granules remember, and the access that they share.
HEDDLE_INLINE void judge_cell(ThreadState& thread, StrandContext& context, race::Cell& cell, u32 granules,
                              const Access& now) {
  if (HEDDLE_LIKELY(Checker::check_few(cell, now, context))) return;
  context.granules = granules;
  context.reported = false;
  // Parts of one granule, or one with a list of its own: there will be no second that is alike.
  if (!(granules & (granules - 1)) && (now.bytes() != 0xff || cell.has_own_list())) {
    if (!Checker::check_own(cell, now)) Checker::check_all(cell, now, context);
    return;
  }
  Verdict& known = thread.verdicts[Verdict::slot(cell, now)];
  if (known.is_for(cell, now, thread.stamp)) {
    if (cell == known.after) return;
    race::retain(known.after);
    race::release(cell);
    cell = known.after;
    return;
  }
  race::Cell before = cell;
  race::retain(before);
  Checker::check_all(cell, now, context);
  // What was reported depends on more than the cell: on where it is.
  if (context.reported)
    race::release(before);
  else
    known.learn(before, now, cell, thread.stamp);
}

}  // namespace

void judge(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& now) {
  if (HEDDLE_UNLIKELY(block.freed & granules)) recall_free(block, base, granules);
  block.common_reads &= ~granules;
  StrandContext context(thread, base);
  block.remembers.update(granules,
                         [&](race::Cell& cell, u32 those) { judge_cell(thread, context, cell, those, now); });
  if (HEDDLE_UNLIKELY(watched::g_any)) watched::intrude(thread, block, base, granules, now);
}

namespace {

// The even bits, side by side.
u32 even_bits(u64 x) {
  x &= 0x5555555555555555;
  x = (x | x >> 1) & 0x3333333333333333;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return static_cast<u32>(x | x >> 16);
}

// Each bit twice: the words of granules.
u64 words_of(u32 granules) {
  u64 x = granules;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  x = (x | x << 1) & 0x5555555555555555;
  return x | x << 1;
}

// REQUIRES: the block is held. A granule has two words.
void judge_words(ThreadState& thread, Block& block, uptr base, u64 words, StackId site, u64 flags) {
  u32 low = ~0u, high = ~0u;
  u32 first = static_cast<u32>(__builtin_ctzll(words)) & 62;
  if (words == u64{3} << first) {
    low = high = 1u << first / 2;
  } else if (words != ~u64{0}) {
    low = even_bits(words);
    high = even_bits(words >> 1);
  }
  u64 what = thread.what | race::what_word(site, 0, 0, flags);
  auto judge_bytes = [&](u32 granules, u64 bytes) {
    if (granules) judge(thread, block, base, granules, {thread.strand, what | bytes << race::kBytesShift});
  };
  judge_bytes(low & high, 0xff);
  if (HEDDLE_LIKELY(low == high)) return;
  judge_bytes(low & ~high, 0x0f);
  judge_bytes(high & ~low, 0xf0);
}

// Is there nothing to report about a read, and nothing to remember? So it is if every write that is remembered comes before, and some
// remembered read stands for it; for all tasks that wait for the same join if there is no write at all.
enum class Superfluous : u8 { kNo, kHere, kInScope };

Superfluous superfluous_read(const race::Cell& cell, const Access& now, StrandContext& context) {
  if (cell.has_list()) return Superfluous::kNo;
  bool stands = false, in_scope = false, written = false;
  for (const Access& earlier : {cell.first, cell.second}) {
    if (earlier.empty()) break;
    written |= earlier.write();
    const bool covers = !earlier.claims() && race::as_strong(earlier.what, now.what & race::kDemand) &&
                        (earlier.lockset() == 0 || earlier.lockset() == now.lockset());
    if (earlier.strand == now.strand) {
      stands |= covers;
      continue;
    }
    if (earlier.task() == now.task() || context.before_by_structure(earlier)) continue;
    if (earlier.write()) return Superfluous::kNo;
    if (stands || !covers) continue;
    race::StandsFrom from = context.stands_from(earlier);
    stands = earlier.index() >= from.by_structure && earlier.index() >= from.in_full;
    in_scope = stands && earlier.lockset() == 0 && earlier.bytes() == 0xff &&
               context.find(earlier.task())->wait == context.task().wait;
  }
  if (!stands) return Superfluous::kNo;
  return in_scope && !written ? Superfluous::kInScope : Superfluous::kHere;
}

// The strand's own access is there already (and was displaced from the filter), or this is one more of many reads.
bool leaves_as_it_is(ThreadState& thread, const Block& block, uptr base, u32 granule, const Access& now) {
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid() || __atomic_load_n(&block.freed, __ATOMIC_RELAXED) ||
      __atomic_load_n(&block.solitude, __ATOMIC_RELAXED) != rt().order.solitudes())
    return false;
  const race::Cell cell = cells.get(granule);
  constexpr u64 kSame = race::kLocksetMask | race::kClaims;
  auto remembers = [&](const Access& own) {
    return own.strand == now.strand && race::as_strong(own.what, now.what & race::kDemand) &&
           ((own.what ^ now.what) & kSame) == 0;
  };
  if (cell.has_list()) return false;
  StrandContext context(thread, base);
  if (!remembers(cell.first) && !remembers(cell.second) &&
      ((now.what & (race::kWrite | race::kPlain)) != race::kPlain ||
       superfluous_read(cell, now, context) == Superfluous::kNo))
    return false;
  return unchanged();
}

// Looks for all granules that remember nothing but reads, one of which stands for any by a task of the scope: who writes to a block
// that many read should do so seldom. `version` is from before something was found out about it.
HEDDLE_NOINLINE void note_common_reads(Block& block, u32 version, StrandContext& context,
                                       const Access& whole_read) {
  const order::Scope* scope = context.task().wait;
  // The block is not held yet: whoever is at work may have written one of the two so far.
  const order::Scope* whose = __atomic_load_n(&block.common_to, __ATOMIC_RELAXED);
  const bool other = whose && whose != scope && __atomic_load_n(&block.common_reads, __ATOMIC_RELAXED) &&
                     !whose->closed.load(std::memory_order_relaxed);
  if (other || !block.lock.try_lock(version)) return;
  u32 common = block.common_to == scope ? block.common_reads : 0;
  const race::BlockCells& cells = block.remembers;
  if (cells.uniform()) {
    common = cells.touched();
  } else {
    for (u32 left = cells.touched() & ~common; left; left &= left - 1)
      if (superfluous_read(cells.at(static_cast<u32>(__builtin_ctz(left))), whole_read, context) ==
          Superfluous::kInScope)
        common |= left & -left;
  }
  block.common_reads = common;
  block.common_to = scope;
  block.lock.unlock();
}

// Granules of which nothing need be found out about a read by this task.
HEDDLE_INLINE u32 common_reads(const ThreadState& thread, const Block& block) {
  if (__atomic_load_n(&block.common_to, __ATOMIC_RELAXED) != thread.context->task->wait) return 0;
  if (__atomic_load_n(&block.solitude, __ATOMIC_RELAXED) != rt().order.solitudes()) return 0;
  return __atomic_load_n(&block.common_reads, __ATOMIC_RELAXED);
}
// Marks all of them as read: who reads one word of what many read will read others. It does not matter whether it does: the remembered
// read stands for whatever the task reads until their join.
HEDDLE_INLINE void mark_common_reads(const ThreadState& thread, BlockSet& set) {
  const Block& block = *set.shadow;
  const u32 version = block.lock.look();
  const u32 common = common_reads(thread, block);
  if (common && block.lock.unchanged_since(version)) set.unread &= common == ~0u ? 0 : ~words_of(common);
}

// What many tasks read need not be held, and not be written to: threads that read the same do not wait for each other.
// (Not for those under a lock: they give it back, and then they do not stand for others.) REQUIRES: nothing but reads is pending.
bool leaves_all_as_it_is(ThreadState& thread, const BlockSet& set) {
  Block& block = *set.shadow;
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  if (__atomic_load_n(&block.freed, __ATOMIC_RELAXED) ||
      __atomic_load_n(&block.solitude, __ATOMIC_RELAXED) != rt().order.solitudes())
    return false;
  const u32 low = even_bits(set.pending), high = even_bits(set.pending >> 1);
  u32 left = (low | high) & ~common_reads(thread, block);
  if (!left) return unchanged();
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid()) return false;
  StrandContext context(thread, block_base(set));
  Access now{thread.strand, thread.what | race::kPlain};
  bool in_scope = false;
  auto superfluous = [&](const race::Cell& cell, u64 bytes) {
    const Superfluous found =
        superfluous_read(cell, {now.strand, now.what | bytes << race::kBytesShift}, context);
    in_scope |= found == Superfluous::kInScope;
    return found != Superfluous::kNo;
  };
  if (cells.uniform() && (cells.touched() & left) == left && !((low ^ high) & left)) {
    if (!superfluous(cells.get(static_cast<u32>(__builtin_ctz(left))), 0xff)) return false;
  } else {
    for (; left; left &= left - 1) {
      const u32 bit = left & -left;
      const u64 bytes = (low & bit ? 0x0f : 0) | (high & bit ? 0xf0 : 0);
      if (!superfluous(cells.get(static_cast<u32>(__builtin_ctz(left))), bytes)) return false;
    }
  }
  if (!unchanged()) return false;
  now.what |= u64{0xff} << race::kBytesShift;
  if (in_scope) note_common_reads(block, version, context, now);
  return true;
}

// One site for all pending words, or one pattern of sites. 0: neither.
StackId site_of_all(ThreadState& thread, const BlockSet& set) {
  const AccessKey first = set.keys[__builtin_ctzll(set.pending)];
  const AccessKey last = set.keys[63 - __builtin_clzll(set.pending)];
  if (first == last && words_with(set, first) == set.pending) return first >> 1;
  // A walk leaves the same pattern in block after block.
  if (thread.last_pattern && has_keys(set, rt().patterns.keys(thread.last_pattern)))
    return thread.last_pattern;
  const u32 hash = hash_keys(set);
  ThreadState::Pattern& known = thread.patterns[hash % ThreadState::kPatterns];
  if (known.hash != hash) {
    known = {hash, 0};
    return 0;
  }
  if (known.pattern && has_keys(set, rt().patterns.keys(known.pattern)))
    return thread.last_pattern = known.pattern;
  if (rt().patterns.full()) return 0;
  // Met again: worth a number.
  StackId pattern = rt().patterns.intern(set.keys, hash);
  if (pattern) known.pattern = pattern;
  return pattern;
}

// Where each granule has its own cell and its own key anyway, to sort the words by their keys would only cost.
void judge_one_by_one(ThreadState& thread, BlockSet& set) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  StrandContext context(thread, base);
  block.remembers.ask_for_lists(even_bits(set.pending | set.pending >> 1));
  for (u64 left = set.pending; left;) {
    const u32 granule = static_cast<u32>(__builtin_ctzll(left)) >> 1;
    const AccessKey* keys = set.keys + 2 * granule;
    const u64 words = set.pending >> 2 * granule & 3;
    left &= ~(u64{3} << 2 * granule);
    auto judge_half = [&](AccessKey key, u64 bytes) {
      const u64 flags = key & 1 ? u64{race::kPlain | race::kWrite} : u64{race::kPlain};
      const Access now{thread.strand,
                       thread.what | race::what_word(key >> 1, 0, 0, flags) | bytes << race::kBytesShift};
      block.remembers.update_own(
          granule, [&](race::Cell& cell) { judge_cell(thread, context, cell, 1u << granule, now); });
    };
    if (words == 3 && keys[0] == keys[1]) {
      judge_half(keys[0], 0xff);
      continue;
    }
    if (words & 1) judge_half(keys[0], 0x0f);
    if (words & 2) judge_half(keys[1], 0xf0);
  }
}

void judge_held(ThreadState& thread, BlockSet& set, u64 writes, bool scattered) {
  Block& block = *set.shadow;
  const uptr base = block_base(set);
  auto judge_both = [&](StackId reads_from, StackId writes_from) {
    const u64 reads = set.pending & ~writes;
    if (reads) judge_words(thread, block, base, reads, reads_from, kReads);
    if (writes) judge_words(thread, block, base, writes, writes_from, kWrites);
  };
  if (!set.keys) return judge_both(set.read_site, set.write_site);
  if (scattered) return judge_one_by_one(thread, set);
  if (StackId site = site_of_all(thread, set)) return judge_both(site, site);
  const u64 all = set.pending;
  for (u64 left = all; left; left = set.pending) {
    AccessKey key = set.keys[__builtin_ctzll(left)];
    u64 words = words_with(set, key);
    judge_words(thread, block, base, words, key >> 1, key & 1 ? kWrites : kReads);
    set.pending &= ~words;
  }
  set.pending = all;
}

void nothing_pending(BlockSet& set) {
  set.pending = 0;
  set.read_site = set.write_site = 0;
  set.keys = nullptr;
  set.repeats = 0;
}

// REQUIRES: the set is held, so to speak: its block is.
void judge_and_regroup(ThreadState& thread, BlockSet& set, u64 writes) {
  race::BlockCells& cells = set.shadow->remembers;
  const u32 granules = even_bits(set.pending | set.pending >> 1);
  const bool separate = cells.separate(), all = !(cells.touched() & ~granules);
  const bool unusual = (set.shadow->freed & granules) || watched::g_any;
  if (!unusual) set.shadow->common_reads &= ~granules;
  judge_held(thread, set, writes, separate && !all && !unusual);
  if (separate && all) cells.regroup();
}

// A block with data that is meant to be atomic. `logged`: what the step had written down when judging began.
HEDDLE_NOINLINE void judge_repeated(ThreadState& thread, BlockSet& set, u32 logged) {
  const uptr base = block_base(set);
  if (set.repeats == BlockSet::kOnce && !watched::touched_before(thread, set, base, logged)) {
    const u64 writes = set.write_site ? set.pending : 0;
    if (writes || thread.context->lockset || !leaves_all_as_it_is(thread, set)) {
      HeldBlock guard(*set.shadow);
      judge_and_regroup(thread, set, writes);
    }
    watched::note_touches(thread, set, base);
    return nothing_pending(set);
  }
  AccessSets::Keys& keys = spell_out_repeats(thread, set);
  const u64 touched_before = logged ? continue_earlier(thread, set, base, logged) : 0;
  const u64 writes = set.pending & keys.repeated.written;
  set.keys = keys.of_word;
  if (writes || keys.repeated.again || thread.context->lockset || !leaves_all_as_it_is(thread, set)) {
    HeldBlock guard(*set.shadow);
    thread.judged = &keys;
    judge_and_regroup(thread, set, writes);
    thread.judged = nullptr;
    if (keys.repeated.again) watched::note_pairs(thread, *set.shadow, base, keys);
  }
  watched::note_touches(thread, set, base, keys, touched_before);
  nothing_pending(set);
}

// `logged`: what the step had written down when judging began, if that is known.
void judge_set(ThreadState& thread, BlockSet& set, u32 logged = ~0u) {
  if (HEDDLE_UNLIKELY(set.repeats))
    return judge_repeated(thread, set, logged == ~0u ? watched::logged(*thread.context) : logged);
  set.common = !set.pending_writes() && !thread.context->lockset && leaves_all_as_it_is(thread, set);
  if (!set.common) {
    HeldBlock guard(*set.shadow);
    judge_and_regroup(thread, set, set.pending_writes());
  }
  nothing_pending(set);
}

// REQUIRES: nothing is pending, and the shadow is that of the address.
HEDDLE_INLINE void hand_over(ThreadState& thread, BlockSet& set, uptr address) {
  set.unread = set.unwritten = ~u64{0};
  set.tag = tag_of(thread.sets, address);
  const uptr base = block_base(set);
  if (HEDDLE_UNLIKELY(base < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = base;
}
// Makes the set the current strand's, for the block of the address. False for addresses no program can have.
HEDDLE_NOINLINE bool claim(ThreadState& thread, BlockSet& set, uptr address) {
  if (set.pending) judge_set(thread, set);
  bool same_block = (set.tag & AccessSets::kNumber) == address >> kBlockShift;
  if (!same_block || !set.shadow) {
    Page* page = rt().shadow.page(address);
    if (!page) return false;
    set.shadow = &page->block(address);
    set.common = false;
    set.all_meant = 0;
  }
  hand_over(thread, set, address);
  return true;
}
// One that was marked in solitude has no shadow.
HEDDLE_INLINE BlockSet* set_of(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  const bool claimed = set.tag == tag_of(thread.sets, address) && set.shadow;
  return HEDDLE_LIKELY(claimed) || claim(thread, set, address) ? &set : nullptr;
}

}  // namespace

BlockSet* set_of_block(ThreadState& thread, uptr address) { return set_of(thread, address); }
void judge_block(ThreadState& thread, BlockSet& set) {
  if (set.pending) judge_set(thread, set);
}

void make_dirty(ThreadState& thread, BlockSet& set) {
  AccessSets& sets = thread.sets;
  if (sets.dirty_count == AccessSets::kDirty) judge_pending(thread);
  sets.dirty[sets.dirty_count++] = static_cast<u32>(&set - sets.blocks);
}

namespace {

// What is not pending has no key: patterns are compared as a whole.
void clear(AccessSets::Keys& keys) {
  for (AccessKey& key : keys.of_word) key = 0;
}

// From now on each word has a key of its own. There is room: sets become dirty more often than they need it.
HEDDLE_NOINLINE void spell_out(AccessSets& sets, BlockSet& set) {
  AccessSets::Keys& keys = sets.keys[sets.keys_count++];
  clear(keys);
  set.keys = keys.of_word;
  for (u64 left = set.pending_reads(); left; left &= left - 1)
    set.keys[__builtin_ctzll(left)] = set.read_site << 1;
  for (u64 left = set.pending_writes(); left; left &= left - 1)
    set.keys[__builtin_ctzll(left)] = set.write_site << 1 | 1;
  set.read_site = set.write_site = 0;
}

HEDDLE_INLINE void note(BlockSet& set, u64 words, bool write) {
  set.pending |= words;
  set.unread &= ~words;
  if (write) set.unwritten &= ~words;
}

void note_bytes(ThreadState& thread, uptr address, u32 size, u64 flags) {
  const uptr granule = address >> 3;
  const u64 key = filter_key(granule, flags), demand = filter_demand(address & 7, size, flags);
  FilterEntry& entry = filter_entry(thread, granule);
  bool joins = entry.marked == thread.marked && (entry.what ^ key) >> kFilterShift == 0;
  entry = {joins ? entry.what | demand : key | demand, thread.marked};
  thread.filtered = thread.marked;
}

// Some bytes of one granule.
void judge_bytes(ThreadState& thread, Block& block, uptr granule, u64 bytes, u64 flags, StackId site) {
  const uptr base = granule << 3 & ~(kBlockSize - 1);
  const Access now{thread.strand,
                   thread.what | race::what_word(site, 0, 0, flags) | bytes << race::kBytesShift};
  const u32 number = granule & 31;
  if (leaves_as_it_is(thread, block, base, number, now)) return;
  HeldBlock guard(block);
  judge(thread, block, base, 1u << number, now);
}

HEDDLE_NOINLINE void judge_byte_runs(ThreadState& thread, uptr begin, uptr end) {
  for (ByteRun& run : thread.byte_runs) {
    if (!run.granule || run.granule < begin >> 3 || run.granule > (end - 1) >> 3) continue;
    judge_bytes(thread, *run.shadow, run.granule, run.bytes, run.flags, run.site);
    run.granule = 0;
  }
}

}  // namespace

void judge_pending(ThreadState& thread) {
  AccessSets& sets = thread.sets;
  if (!sets.dirty_count) return;  // a thread may have no task any more
  bool was_active = thread.active;
  thread.active = false;
  if (thread.any_byte_runs) {
    judge_byte_runs(thread, 0, ~uptr{0});
    thread.any_byte_runs = false;
  }
  // Where a strand walks over scattered memory, waiting for the shadow would be most of the work: so it is asked for ahead, the
  // block first, then the cells.
  auto set_at = [&](u32 i) -> BlockSet& { return sets.blocks[sets.dirty[i]]; };
  auto prefetch_block = [&](u32 i) {
    if (i < sets.dirty_count) prefetch(set_at(i).shadow);
  };
  auto prefetch_cells = [&](u32 i) {
    if (i >= sets.dirty_count || !set_at(i).pending) return;
    const BlockSet& set = set_at(i);
    set.shadow->remembers.ask_for(even_bits(set.pending | set.pending >> 1));
  };
  const u32 logged = HEDDLE_UNLIKELY(watched::g_any) ? watched::logged(*thread.context) : 0;
  constexpr u32 kBlockAhead = 16, kCellAhead = 8;
  for (u32 i = 0; i < kBlockAhead; ++i) prefetch_block(i);
  for (u32 i = 0; i < kCellAhead; ++i) prefetch_cells(i);
  for (u32 i = 0; i < sets.dirty_count; ++i) {
    prefetch_block(i + kBlockAhead);
    prefetch_cells(i + kCellAhead);
    BlockSet& set = set_at(i);
    if (set.pending) judge_set(thread, set, logged);
  }
  sets.dirty_count = sets.keys_count = 0;
  thread.step_ends = false;
  thread.active = was_active;
}

namespace {

// Does the block remember nothing of these granules but what the task itself did, or its parent before it was made?
bool known_to_task_only(const Block& block, u32 granules, const order::Task& task) {
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid() || __atomic_load_n(&block.freed, __ATOMIC_RELAXED)) return false;
  auto before = [&](const Access& access) {
    return access.empty() || access.task() == task.id ||
           (access.task() == task.parent->id && access.index() <= task.spawned_at);
  };
  for (u32 left = granules & cells.touched(); left; left &= left - 1) {
    const race::Cell cell = cells.get(static_cast<u32>(__builtin_ctz(left)));
    if (cell.has_list() || !before(cell.first) || !before(cell.second)) return false;
    if (cells.uniform()) break;
  }
  return unchanged();
}

}  // namespace

void drop_pending(ThreadState& thread, uptr begin, uptr end) {
  const order::Task& task = *thread.context->task;
  AccessSets& sets = thread.sets;
  thread.step_ends = sets.dirty_count != 0;
  if (!task.parent || begin >= end) return;
  for (u32 i = 0; i < sets.dirty_count; ++i) {
    BlockSet& set = sets.blocks[sets.dirty[i]];
    const uptr base = block_base(set);
    if (!set.pending || set.repeats || base + kBlockSize <= begin || base >= end) continue;
    u64 inside = ~u64{0};
    if (begin > base) inside &= ~u64{0} << (begin >> 2 & 63);
    if (end < base + kBlockSize) inside &= ~u64{0} >> (63 - ((end - 1) >> 2 & 63));
    if (set.pending & ~inside) continue;
    if (known_to_task_only(*set.shadow, even_bits(set.pending | set.pending >> 1), task))
      nothing_pending(set);
  }
}

void judge_pending(ThreadState& thread, uptr begin, uptr end) {
  if (!thread.sets.dirty_count) return;
  if (thread.any_byte_runs) judge_byte_runs(thread, begin, end);
  if ((end - begin) >> kBlockShift >= AccessSets::kDirty) return judge_pending(thread);
  for (uptr at = begin & ~(kBlockSize - 1); at < end; at += kBlockSize) {
    BlockSet& set = block_set(thread.sets, at);
    if (set.pending && block_base(set) == at) judge_set(thread, set);
  }
}

namespace {

// Words of one block, given as bits: those that the strand has not touched yet, as strongly, become pending. The others keep their keys.
// `site` says where it was.
template <class Site>
HEDDLE_INLINE void touch_words(ThreadState& thread, uptr address, u64 words, bool write, Site site_of) {
  BlockSet* set = set_of(thread, address);
  if (!set) return;
  if (HEDDLE_UNLIKELY(set->repeats)) judge_set(thread, *set);  // it was watched until now
  words &= write ? set->unwritten : set->unread;
  if (!words) return;
  if (!set->pending) {
    // Only where it is likely: waiting for the shadow of scattered memory would be most of the work.
    if (!write && set->common) {
      mark_common_reads(thread, *set);
      words &= set->unread;
      if (!words) return;
    }
    make_dirty(thread, *set);
  }
  const StackId site = site_of();
  if (!set->keys) {
    StackId& common = write ? set->write_site : set->read_site;
    if (!common) common = site;
    if (common != site) spell_out(thread.sets, *set);
  }
  if (set->keys)
    for (u64 left = words; left; left &= left - 1) set->keys[__builtin_ctzll(left)] = site << 1 | u32{write};
  note(*set, words, write);
}
HEDDLE_INLINE void touch_words(ThreadState& thread, uptr address, u64 words, bool write, uptr pc) {
  touch_words(thread, address, words, write, [&] { return current_site(thread, pc); });
}

// The place walks on. Whole words are better judged with their block.
void end_byte_run(ThreadState& thread, ByteRun& run) {
  const ByteRun ended = std::exchange(run, {});
  const u64 words = ended.bytes == 0xff ? 3 : ended.bytes == 0x0f ? 1 : ended.bytes == 0xf0 ? 2 : 0;
  if (words && !(ended.flags & race::kBound))
    touch_words(thread, ended.granule << 3, words << (ended.granule << 1 & 63), ended.flags & race::kWrite,
                [&] { return ended.site; });
  else
    judge_bytes(thread, *ended.shadow, ended.granule, ended.bytes, ended.flags, ended.site);
}

void begin_byte_run(ThreadState& thread, ByteRun& run, uptr address, u64 bytes, u64 flags, uptr pc) {
  if (run.granule) end_byte_run(thread, run);
  BlockSet* set = set_of(thread, address);
  if (!set) return;
  Block* shadow = set->shadow;
  if (!thread.any_byte_runs) make_dirty(thread, *set);
  thread.any_byte_runs = true;
  const StackId site = current_site(thread, pc);
  run = {address >> 3, pc, flags, thread.top[-1].stack, site, static_cast<u8>(bytes), shadow};
}

// A function that is called for each few bytes has a new frame each time, which nobody has asked for its stack yet.
void go_on_or_begin(ThreadState& thread, ByteRun& run, uptr address, u64 bytes, u64 flags, uptr pc) {
  if (run.granule == address >> 3 && run.pc == pc && run.flags == flags &&
      run.site == current_site(thread, pc))
    run.bytes |= static_cast<u8>(bytes);
  else
    begin_byte_run(thread, run, address, bytes, flags, pc);
}

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

// The same, and it may be at a place that somebody looks for.
HEDDLE_INLINE void begin_access(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  count_touch(thread, pc);
  if (HEDDLE_UNLIKELY(thread.stops_at_places)) places::stop_at(thread, address, size, flags, pc);
}
HEDDLE_INLINE void end_access(ThreadState& thread, uptr address) {
  thread.active = true;
  if (HEDDLE_LIKELY(!thread.stops_at_places)) return;
  filter_entry(thread, address >> 3) = {};
  places::forget_marks(thread);
}

// In solitude no access matters, up to the next spawn, which ends the marks; and nowhere one to constants: all of the block may as well be
// marked.
void mark_all(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  if (!thread.sets.stamp || set.pending) return;  // of no use while nothing may match
  set.tag = tag_of(thread.sets, address);
  set.unread = set.unwritten = 0;
  set.shadow = nullptr;
  set.common = false;
}

// One more read of what many tasks read: the set only changes hands.
HEDDLE_INLINE bool read_in_common(ThreadState& thread, uptr address, u32 size) {
  BlockSet& set = block_set(thread.sets, address);
  if (!set.common || set.pending || (set.tag & AccessSets::kNumber) != address >> kBlockShift ||
      thread.gives_way || thread.stops_at_places || watched::g_any)
    return false;
  if (set.tag != tag_of(thread.sets, address)) hand_over(thread, set, address);
  mark_common_reads(thread, set);
  if (set.unread >> (address >> 2 & 63) & ((u64{1} << (size / 4)) - 1)) return false;
  ++thread.touches;
  return true;
}
// Histories tell of constants, too.
HEDDLE_INLINE bool does_not_matter(const ThreadState& thread, uptr address) {
  return constants::contain(address) && !thread.stream;
}

}  // namespace

AccessSets::Keys& add_keys(ThreadState& thread) {
  AccessSets::Keys& keys = thread.sets.keys[thread.sets.keys_count++];
  clear(keys);
  return keys;
}

namespace {

// A block all of whose words are meant, of which the thread has had something pending before: the set only changes hands.
HEDDLE_INLINE bool meant_as_before(ThreadState& thread, BlockSet& set, uptr address, bool own) {
  if (set.all_meant != watched::g_changes.load(std::memory_order_relaxed) || set.pending || !set.shadow ||
      (set.tag & AccessSets::kNumber) != address >> kBlockShift || !rt().only_annotated ||
      !watched::only_what_is_annotated())
    return false;
  if (!own) hand_over(thread, set, address);
  prepare_repeats(thread, set, ~u64{0}, 0);
  return true;
}

// What is annotated goes its own way; if nothing else matters, all else may as well be marked.
HEDDLE_NOINLINE bool taken(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  BlockSet& set = block_set(thread.sets, address);
  const bool own = set.tag == tag_of(thread.sets, address);
  const u64 words = ((u64{1} << (size / 4)) - 1) << ((address >> 2) & 63);
  thread.active = false;
  const bool done = ((own && set.repeats) || meant_as_before(thread, set, address, own)) &&
                    touch_meant(thread, set, words, flags & race::kWrite, pc);
  thread.active = true;
  if (HEDDLE_LIKELY(done)) return true;
  if (watched::take(thread, address, size, flags, pc)) return true;
  if (!watched::only_what_is_annotated()) return false;
  thread.active = false;
  if (set.pending) judge_set(thread, set);  // another block's
  mark_all(thread, address);
  thread.active = true;
  return true;
}

}  // namespace

void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active)) return;
  if (HEDDLE_UNLIKELY(thread.alone) || does_not_matter(thread, address)) return mark_all(thread, address);
  if (!(flags & race::kWrite) && read_in_common(thread, address, size)) return;
  if (code::ignores(thread, pc)) return;
  begin_access(thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(thread.stream != nullptr)) return recorder::access(thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(watched::g_any) && taken(thread, address, size, flags, pc))
    return end_access(thread, address);
  thread.active = false;
  u64 words = ((u64{1} << (size / 4)) - 1) << ((address >> 2) & 63);
  touch_words(thread, address, words, flags & race::kWrite, pc);
  end_access(thread, address);
}

namespace {

HEDDLE_NOINLINE void access_other_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(!thread.active)) return;
  if (HEDDLE_UNLIKELY(thread.alone) || does_not_matter(thread, address)) {
    if (thread.marked) note_bytes(thread, address, size, flags);
    return;
  }
  if (code::ignores(thread, pc)) return;
  begin_access(thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(thread.stream != nullptr)) return recorder::access(thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(watched::g_any)) {
    if (watched::take(thread, address, size, flags, pc)) return end_access(thread, address);
    if (watched::only_what_is_annotated()) return note_bytes(thread, address, size, flags);
  }
  thread.active = false;
  const u64 bytes = u64{((1u << size) - 1) << (address & 7)} & 0xff;
  ByteRun& run = thread.byte_runs[pc % ThreadState::kByteRuns];
  if ((flags & race::kPlain) && HEDDLE_LIKELY(!thread.stops_at_places))
    go_on_or_begin(thread, run, address, bytes, flags, pc);
  else if (BlockSet* set = set_of(thread, address); HEDDLE_LIKELY(set))
    judge_bytes(thread, *set->shadow, address >> 3, bytes, flags, current_site(thread, pc));
  note_bytes(thread, address, size, flags);
  end_access(thread, address);
}

}  // namespace

// The next byte of a run: by the same call of the same function as the one before, so all else has been asked. Text is little but this.
void access_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  ByteRun& run = thread.byte_runs[pc % ThreadState::kByteRuns];
  const bool goes_on = run.granule == address >> 3 && run.pc == pc && run.flags == flags &&
                       run.caller == thread.top[-1].stack && thread.active;
  if (HEDDLE_UNLIKELY(!goes_on)) return access_other_bytes(thread, address, size, flags, pc);
  thread.active = false;
  ++thread.touches;
  run.bytes |= static_cast<u8>(((1u << size) - 1) << (address & 7));
  note_bytes(thread, address, size, flags);
  thread.active = true;
}

namespace {

void access_words(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);

// Block by block: some may be watched.
HEDDLE_NOINLINE void access_blocks(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  for (const uptr end = address + size; address < end;) {
    uptr stop = (address & ~(kBlockSize - 1)) + kBlockSize;
    if (stop > end) stop = end;
    if (!watched::take(thread, address, static_cast<u32>(stop - address), flags, pc) &&
        !watched::only_what_is_annotated())
      access_words(thread, address, stop - address, flags, pc);
    address = stop;
  }
}

// A loop that is counted wrongly, as by iterators of a vector that another thread has replaced, is told before it runs into memory that is
// not there: then shadow for all of that would be made in vain.
constexpr usize kLarge = usize{1} << 20;

HEDDLE_NOINLINE usize mapped_part(uptr address, usize size) {
  auto mapped = [](uptr at) {
    unsigned char resident;
    return system_call(SYS_mincore, at & ~(kPageSize - 1), 1, &resident) == 0;
  };
  usize part = 0;
  while (part < size && mapped(address + part)) part += kLarge;
  return part < size ? part : size;
}

}  // namespace

void access_range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  if (!thread.active || thread.alone || size == 0 || does_not_matter(thread, address) ||
      code::ignores(thread, pc))
    return;
  if (rt().only_annotated && !watched::g_may_be_meant.overlaps(address, address + size)) return;
  if (HEDDLE_UNLIKELY(size > kLarge)) size = mapped_part(address, size);
  begin_access(thread, address, size, flags, pc);
  if (thread.stream) return recorder::access(thread, address, size, flags, pc);
  if (HEDDLE_UNLIKELY(watched::g_any)) return access_blocks(thread, address, size, flags, pc);
  access_words(thread, address, size, flags, pc);
}

namespace {

// What is put together from a few bytes at a time is better judged as a walk.
constexpr usize kFewBytes = 16;

// Memory of the thread: the sets do not know of that, so it is judged at once, 256 bytes at a time. REQUIRES: whole words, of one block.
void judge_bound_words(ThreadState& thread, uptr address, u64 words, u64 flags, uptr pc) {
  if (BlockSet* set = set_of(thread, address)) {
    HeldBlock guard(*set->shadow);
    judge_words(thread, *set->shadow, address & ~(kBlockSize - 1), words, current_site(thread, pc), flags);
  }
}

void access_words(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  const bool plain = flags & race::kPlain, write = flags & race::kWrite, bound = flags & race::kBound;
  if (plain && !bound && ((address | size) & 3) == 0 && (address & (kBlockSize - 1)) + size < kBlockSize) {
    thread.active = false;
    touch_words(thread, address, ((u64{1} << size / 4) - 1) << (address >> 2 & 63), write, pc);
    end_access(thread, address);
    return;
  }
  // What is not whole words, or not plain, goes granule by granule; what is between them 256 bytes at a time.
  uptr end = address + size;
  uptr words = plain ? (address + 3) & ~uptr{3} : end, words_end = plain ? end & ~uptr{3} : end;
  if (words >= words_end) words = words_end = end;
  auto by_granules = [&](uptr at, uptr stop) {
    while (at < stop) {
      u32 part = 8 - (at & 7);
      if (part > stop - at) part = static_cast<u32>(stop - at);
      access_bytes(thread, at, part, flags, pc);
      at += part;
    }
  };
  if (plain && size <= kFewBytes && ((address | size) & 3)) return by_granules(address, end);
  by_granules(address, words);
  thread.active = false;
  for (uptr at = words; at < words_end;) {
    uptr stop = (at & ~(kBlockSize - 1)) + kBlockSize;
    if (stop > words_end) stop = words_end;
    u64 some = ~u64{0} << (at >> 2 & 63);
    if (stop & (kBlockSize - 1)) some &= (u64{1} << (stop >> 2 & 63)) - 1;
    if (bound)
      judge_bound_words(thread, at, some, flags, pc);
    else
      touch_words(thread, at, some, write, pc);
    at = stop;
  }
  end_access(thread, address);
  by_granules(words_end, end);
}

}  // namespace

}  // namespace heddle
