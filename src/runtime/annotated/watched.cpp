#include "runtime/annotated/watched.hpp"

#include "checker/atomicity/pairs.hpp"
#include "runtime/access/access_path.hpp"
#include "runtime/annotated/block_pairs.hpp"
#include "runtime/annotated/repeated_touches.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/annotated/watched_memory.hpp"
#include "runtime/races/judge.hpp"
#include "runtime/races/strand_context.hpp"

namespace heddle::watched {

using atomicity::First;
using atomicity::Location;
using atomicity::Pair;
using atomicity::Single;
using race::Access;

namespace {

Page& page_of(Block& block, uptr base) {
  return *reinterpret_cast<Page*>(&block - ((base & (kPageSize - 1)) >> kBlockShift));
}

constexpr u64 kRegion = u64{1} << 63;

// The current task, at a location: bytes of one line, or a group.
class Now {
 public:
  Now(ThreadState& thread, Block* block, uptr base, Group* group, const Access& access)
      : thread_(thread), block_(block), base_(base), group_(group), access_(access) {}

  bool in_region = false;

  u32 task() const { return context().task->id; }
  u64 step() const { return in_region ? state().region | kRegion : state().number; }
  bool over(const First& first) const {
    if (first.task != task()) return rt().order.find(first.task)->ended.load(std::memory_order_acquire);
    const Step& now = state();
    return first.step & kRegion
               ? (!now.in_region() && !g_reacquired_locks) || first.step != (now.region | kRegion)
               : first.step != now.number;
  }
  bool before(u64 epoch) { return strand().before_by_structure({epoch, 0}); }
  // Of what nobody annotated: is it a lock that was taken again, and that the intruder takes in between?
  bool inferred(u64 bytes) const {
    if (HEDDLE_LIKELY(!g_reacquired_locks) || group_) return false;
    const Line* line = find_line(page_of(*block_, base_), base_);
    return !line || !(line->alone & bytes);
  }
  static bool reacquired(const Pair& pair, const Single& single) {
    const Locksets& locksets = rt().locksets;
    return locksets.share_a_lock(pair.first.locks, pair.last.locks) &&
           locksets.share_a_lock(pair.first.locks, single.access.locks);
  }

  // An access that only intrudes may be of a task that has no step of its own yet.
  bool learned_there(const Single& single) const {
    if (!context().step) return false;
    for (const Learned& learned : state().learned)
      if (learned.location == location() && learned.write.epoch == single.epoch) return true;
    return false;
  }

  // Or kept apart otherwise.
  bool bound_together(const Pair& pair, const Single& single) {
    if (inferred(pair.bytes & single.bytes) && !reacquired(pair, single)) return true;
    const StrandContext::Racing racing = racing_granules(pair, single, pair.bytes & single.bytes);
    return !racing.surely && !racing.perhaps;
  }
  const atomicity::Moments& moments() const { return state().moments; }
  Gaps& gaps() const { return all_gaps(); }
  bool subset(u32 a, u32 b) const { return rt().locksets.subset(a, b); }

  // The shadow has forgotten what the step has learned of and has covered by an access of its own.
  template <class Visit>
  void for_each_single(u64 bytes, Visit&& visit) {
    for_each_remembered(bytes, visit);
    for (const Learned& learned : state().learned) {
      if (learned.location != location()) continue;
      Single single = learned.write;
      if (single.bytes &= bytes) visit(single);
    }
  }
  template <class Visit>
  void for_each_remembered(u64 bytes, Visit&& visit) {
    if (!group_) return for_each_in_line(*block_, base_, bytes, visit);
    for (const Range& member : group_->members)
      for_each_line(member.address, member.address + member.size, [&](uptr base, u64 part) {
        Block& block = rt().shadow.page(base)->block(base);
        HeldBlock guard(block);
        for_each_in_line(block, base, part, [&](Single single) {
          single.bytes = 1;
          visit(single);
        });
      });
  }

  void violation(const Pair& pair, const Single& single, u64 bytes) {
    const u64 earlier = pair.epoch == access_.strand ? single.epoch : pair.epoch;
    // The order of the critical sections of one lock is the schedule's: no hand-over keeps them apart.
    const bool one_lock = rt().locksets.share_a_lock(single.access.locks, pair.first.locks) ||
                          rt().locksets.share_a_lock(single.access.locks, pair.last.locks);
    const bool certain = !inferred(bytes) && (one_lock || !strand().before_in_full({earlier, 0})) &&
                         racing_granules(pair, single, bytes).surely;
    const uptr address =
        group_ ? group_->members[0].address : base_ + static_cast<u32>(__builtin_ctzll(bytes));
    raw_log::Violation found{address & ~uptr{7},
                             access_of(pair.epoch, pair.first, pair.bound_to, address, bytes),
                             access_of(single.epoch, single.access, single.bound_to, address, bytes),
                             access_of(pair.epoch, pair.last, pair.bound_to, address, bytes),
                             certain ? race::Evidence::kCertain : race::Evidence::kPredicted,
                             nullptr,
                             0};
    Vector<uptr> members;
    if (group_)
      for (const Range& member : group_->members) members.push_back(member.address);
    found.group = members.begin();
    found.group_size = members.size();
    raw_log::violation(found);
  }

 private:
  StrandContext::Racing racing_granules(const Pair& pair, const Single& single, u64 bytes) {
    const Access last = access_of(pair.epoch, pair.last, pair.bound_to),
                 other = access_of(single.epoch, single.access, single.bound_to);
    StrandContext context = strand();
    context.granules = granule_of(bytes);
    return last.task() == task() ? context.racing(other, last) : context.racing(last, other);
  }
  TaskContext& context() const { return *thread_.context; }
  const Step& state() const { return *context().step; }
  const Location* location() const {
    return group_ ? &group_->location : &find_line(page_of(*block_, base_), base_)->location;
  }
  StrandContext strand() { return StrandContext(thread_, base_ & ~(kBlockSize - 1)); }
  u32 granule_of(u64 bytes) const {
    const uptr address =
        group_ ? group_->members[0].address : base_ + static_cast<u32>(__builtin_ctzll(bytes));
    return 1u << (address >> 3 & 31);
  }

  static Access access_of(u64 strand, const atomicity::Made& made, u32 bound_to, uptr address = 0,
                          u64 bytes = 1) {
    // Those of the granule where the location begins; a group is shown by its first byte.
    const u64 here = bytes >> (static_cast<u32>(__builtin_ctzll(bytes)) & ~7u) & 0xff;
    const u8 mask = bytes == 1 ? static_cast<u8>(1u << (address & 7)) : static_cast<u8>(here);
    return {strand, race::what_word(made.site, made.locks, mask,
                                    (made.write ? u64{race::kWrite} : 0) |
                                        (made.atomic ? 0 : u64{race::kPlain}) | claims_of(bound_to))};
  }

  template <class Visit>
  void for_each_in_line(Block& block, uptr base, u64 bytes, Visit&& visit) {
    for (u32 granule = 0; granule < kLineSize / 8; ++granule) {
      if (!(bytes >> (granule * 8) & 0xff)) continue;
      const u32 in_block = static_cast<u32>(base >> 3 & 31) + granule;
      const race::Cell cell = block.remembers.at(in_block);
      for (u32 i = 0; i < cell.count(); ++i) {
        const Access& access = cell.at(i);
        const u64 touched = (u64{access.bytes()} << (granule * 8)) & bytes;
        if (access.free() || !touched) continue;
        const u32 thread =
            claimed_by(rt().order.find(access.task())->thread.load(std::memory_order_relaxed), access.what);
        const u32 word = 2 * in_block + (access.bytes() & 0x0f ? 0 : 1);
        visit(
            Single{touched,
                   access.strand,
                   {StrandContext::site_at(access, word), access.lockset(), access.write(), access.atomic()},
                   thread});
      }
    }
  }

  ThreadState& thread_;
  Block* block_;
  uptr base_;  // of the line
  Group* group_;
  const Access& access_;
};
using Rules = atomicity::Rules<Now>;

// What is remembered from before the last solitude comes before everything.
void forget_obsolete(Location& location, u32& solitude) {
  const u32 last = rt().order.solitudes();
  if (solitude == last) return;
  solitude = last;
  location.pairs.clear(~u64{0});
  location.firsts.clear(~u64{0});
}

Single single_of(const ThreadState& thread, const Access& access, u64 bytes) {
  return {bytes,
          access.strand,
          {access.site(), access.lockset(), access.write(), access.atomic()},
          claimed_by(thread.number, access.what)};
}

void note_location(Page& page, uptr address, const Location& location) {
  if (location.pairs.count())
    page.watched.load(std::memory_order_relaxed)->paired.fetch_or(block_bit(address));
}

// Four bytes for each of sixteen words.
u64 bytes_of_words(u64 words) {
  u64 x = words & 0xffff;
  x = (x | x << 24) & 0x000000ff000000ff;
  x = (x | x << 12) & 0x000f000f000f000f;
  x = (x | x << 6) & 0x0303030303030303;
  x = (x | x << 3) & 0x1111111111111111;
  return x * 0xf;
}

Single single_of(const ThreadState& thread, AccessKey key, u32 locks, u64 bytes, u32 bound_to) {
  return {bytes, thread.strand, {key >> 1, locks, (key & 1) != 0, false}, bound_to};
}

// Calls visit(key, bytes of the line) for the words of a line, those of one key together.
template <class KeyOf, class Visit>
void for_each_key(u64 words, KeyOf key_of, Visit visit) {
  while (words) {
    const AccessKey key = key_of(static_cast<u32>(__builtin_ctzll(words)));
    u64 same = 0;
    for (u64 left = words; left; left &= left - 1)
      if (key_of(static_cast<u32>(__builtin_ctzll(left))) == key) same |= left & -left;
    visit(key, same);
    words &= ~same;
  }
}

// What the step wrote down about a line becomes firsts.
void bring_firsts(ThreadState& thread, Step& step, Line& line, uptr base, u64 words, Now& context) {
  const uptr block = base & ~(kBlockSize - 1);
  const u32 first_word = static_cast<u32>(base - block) / 4;
  bool any = false;
  step.log.for_each(block, [&](Touch& touch) {
    const u64 here = touch.words & ~touch.brought & words & u64{0xffff} << first_word;
    if (!here) return;
    if (!any) Rules::forget_over(line.location, context);
    any = true;
    touch.brought |= here;
    auto key_of = [&](u32 word) { return StrandContext::key_of_word(touch.key, word); };
    for_each_key(here, key_of, [&](AccessKey key, u64 same) {
      const Repeated made = rt().repeats.get(key);
      const u64 bytes = bytes_of_words(same >> first_word) & line.alone;
      for (const AccessKey each : {made.first, made.write})
        if (each && bytes)
          Rules::begin(line.location, single_of(thread, each, touch.locks, bytes, touch.bound_to), touch.seen,
                       context);
    });
  });
}

// Words that the step has touched before: they may end a pair.
template <class KeyOf>
void meet_earlier(ThreadState& thread, Step& step, Block& block, uptr base, u64 words, KeyOf key_of) {
  HeldBlock guard(block);
  Page& page = page_of(block, base);
  const Access now{thread.strand, thread.what};
  const u32 bound_to = claimed_by(thread.number, thread.what);
  for (u32 first_word = 0; first_word < AccessSets::kWords; first_word += 16) {
    const u64 here = words & u64{0xffff} << first_word;
    const uptr address = base + first_word * 4;
    Line* line = here ? find_line(page, address) : nullptr;
    if (!line) continue;
    Now context(thread, &block, address, nullptr, now);
    forget_obsolete(line->location, line->solitude);
    bring_firsts(thread, step, *line, address, here, context);
    for_each_key(here, key_of, [&](AccessKey key, u64 same) {
      const Repeated made = rt().repeats.get(key);
      const u64 bytes = bytes_of_words(same >> first_word) & line->alone;
      if (!bytes) return;
      Rules::advance(line->location, single_of(thread, made.first, thread.context->lockset, bytes, bound_to),
                     context);
      if (made.write && made.write != made.first)
        Rules::advance(line->location,
                       single_of(thread, made.write, thread.context->lockset, bytes, bound_to), context);
    });
    note_location(page, base, line->location);
  }
}

bool touch_group(ThreadState& thread, Group& group, const Access& access, bool is_new) {
  SpinGuard guard(group.lock);
  if (group.members.empty()) return true;
  Now now(thread, nullptr, group.members[0].address & ~(kLineSize - 1), &group, access);
  const Single single = single_of(thread, access, 1);
  forget_obsolete(group.location, group.solitude);
  if (is_new) Rules::intrude(group.location, single, now);
  return Rules::advance(group.location, single, now) != 0;
}

// An access inside one granule, of a watched block or in a region. The answer says which of its bytes are settled (Rules::advance).
u8 touch_granule(ThreadState& thread, Page& page, uptr address, u32 size, u64 flags, uptr pc) {
  const bool region = in_region(*thread.context);
  const uptr base = address & ~(kLineSize - 1), granule = address >> 3,
             block_base = address & ~(kBlockSize - 1);
  const u64 part = (u64{1} << size) - 1, bytes = part << (address - base);
  Line* line = region ? &make_line(page, address) : find_line(page, address);
  const u64 alone = line ? bytes & line->alone : 0;
  const bool grouped = line && line->members && (line->grouped() & bytes);
  // A race is judged once for all repetitions. The key is one that no other access has.
  const u64 key = filter_key(granule, flags) | u64{1} << 62, demand = filter_demand(address & 7, size, flags);
  FilterEntry& entry = filter_entry(thread, granule);
  const bool joins = entry.marked == thread.marked && (entry.what ^ key) >> kFilterShift == 0;
  const bool is_new = region || !joins || (demand & ~entry.what);
  if (!is_new && !alone && !grouped) return static_cast<u8>(part << (address & 7));
  const Access now{thread.strand,
                   thread.what | race::what_word(current_site(thread, pc), 0,
                                                 static_cast<u8>(part << (address & 7)), flags)};
  Block& block = page.block(address);
  if (address < thread.stack_touched && address >= thread.stack_low && address < thread.stack_high)
    thread.stack_touched = address & ~(kBlockSize - 1);
  Step& step = step_of(*thread.context);
  // What is not settled yet: only what is meant can be.
  u64 open = alone | (region ? bytes : 0) | (grouped ? line->grouped() & bytes : 0);
  {
    HeldBlock guard(block);
    if (is_new) judge(thread, block, block_base, 1u << (granule & 31), now);
    if (line) {
      Now context(thread, &block, base, nullptr, now);
      forget_obsolete(line->location, line->solitude);
      if (alone) {
        const u64 words = words_touched(address, address + size);
        step.log.touched(block_base, step.log.size());  // all may be looked up from here on
        bring_firsts(thread, step, *line, base, words, context);
        const bool write = flags & race::kWrite;
        step.log.add_if_new(
            {block_base, words, write ? words : 0, words, 0, 0, 0, claimed_by(thread.number, now.what)});
      }
      if (alone) open &= ~alone | ~Rules::advance(line->location, single_of(thread, now, alone), context);
      context.in_region = true;
      if (const u64 rest = bytes & ~line->alone; region && rest && !grouped)
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
  if (HEDDLE_UNLIKELY(g_functions)) leave_function(thread);
  const bool region = in_region(*thread.context);
  Page* page = region ? rt().shadow.page(address) : rt().shadow.find(address);
  if (!page) return false;
  if (!region) {
    const WatchedPage* watched = page->watched.load(std::memory_order_acquire);
    if (!watched || !(watched->blocks.load(std::memory_order_relaxed) & block_bit(address))) return false;
  }
  thread.active = false;
  BlockSet* set = set_of_block(thread, address);
  const u64 words = words_touched(address, address + size);
  const bool plain = (flags & (race::kPlain | race::kBound)) == race::kPlain;
  if (!region && plain && set && ((address | size) & 3) == 0) {
    const u32 changes = g_changes.load(std::memory_order_relaxed);
    const MeantWords all = meant_words(*page, address);
    set->all_meant = all.meant == ~u64{0} && !all.closely ? changes : 0;
    const u64 is_new = words & (flags & race::kWrite ? set->unwritten : set->unread);
    if (is_new && !set->repeats && !(words & all.closely))
      prepare_repeats(thread, *set, all.meant, all.closely);
    if (!is_new || (set->repeats && touch_meant(thread, *set, words, flags & race::kWrite, pc))) {
      thread.active = true;
      return true;
    }
  }
  if (set && set->pending & words) judge_block(thread, *set);
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

void note_pairs(ThreadState& thread, Block& block, uptr base, const AccessSets::Keys& keys) {
  Page& page = page_of(block, base);
  WatchedPage* watched = page.watched.load(std::memory_order_acquire);
  if (!watched) return;
  auto& place = watched->pairs[(base & (kPageSize - 1)) >> kBlockShift];
  BlockPairs* pairs = place.load(std::memory_order_relaxed);
  if (!pairs) place.store(pairs = memory::make<BlockPairs>(), std::memory_order_release);
  pairs->forget_before(rt().order.solitudes());
  const AccessKey first = keys.again_of_word[__builtin_ctzll(keys.repeated.again)];
  const u64 same = words_equal(keys.again_of_word, first) & keys.repeated.again;
  StrandContext context(thread, base);
  pairs->add({keys.repeated.again, keys.repeated.rewritten, thread.strand, thread.context->lockset,
              thread.context->claims, same == keys.repeated.again ? first : 0,
              const_cast<AccessKey*>(keys.again_of_word)},
             context);
}

bool touched_before(ThreadState& thread, const BlockSet& set, uptr base, u32 logged) {
  if (!logged) return false;
  StepLog& log = thread.context->step->log;
  return ((log.touched(base, logged) | log.known(base)) & set.pending) != 0;
}

void note_touches(ThreadState& thread, const BlockSet& set, uptr base) {
  if (thread.step_ends) return;
  Step& step = step_of(*thread.context);
  const bool write = set.write_site != 0;
  const AccessKey key = (write ? set.write_site : set.read_site) << 1 | u32{write};
  step.log.add({base, set.pending, write ? set.pending : 0, 0, key, thread.context->lockset,
                step.moments.now(), claimed_by(thread.number, thread.what)});
}

void note_touches(ThreadState& thread, const BlockSet& set, uptr base, const AccessSets::Keys& keys,
                  u64 before) {
  const u64 meant = set.pending & keys.repeated.meant;
  if (!meant) return;
  Step& step = step_of(*thread.context);
  Touch touch{
      base, 0, 0, 0, 0, thread.context->lockset, step.moments.now(), claimed_by(thread.number, thread.what)};
  u64 left = meant;
  auto key_of = [&](u32 word) { return keys.key(word); };
  if (!before && thread.step_ends) return;
  if (before) {
    meet_earlier(thread, step, *set.shadow, base, before, key_of);
    touch.words = touch.brought = before;
    touch.written = before & keys.repeated.written;
    step.log.add_if_new(touch);
    touch.brought = 0;
    left &= ~before;
  }
  if (const u64 known = step.log.known(base) & left) {
    // In one go with what is there already: only a first write is new.
    for_each_key(known & keys.repeated.written, key_of, [&](AccessKey key, u64 words) {
      touch.key = key;
      touch.words = touch.written = words;
      step.log.add_if_new(touch);
    });
    left &= ~known;
  }
  while (left) {
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    touch.key = keys.key(word);
    touch.words = left & keys.same_as(word);
    touch.written = touch.words & keys.repeated.written;
    step.log.add(touch);
    left &= ~touch.words;
  }
}

namespace {

// A byte's violation is reported once.
void report(uptr granule, u8 bytes, Line& line, const Repeated& made, const Access& pair,
            const Access& intruder, StackId site, race::Evidence evidence) {
  const u32 shift = static_cast<u32>(granule & (kLineSize - 1));
  const u64 broken = u64{bytes} << shift & line.alone & ~line.location.broken;
  if (!broken) return;
  line.location.broken |= broken;
  auto part = [&](const Access& access, AccessKey key) {
    const u64 flags = (access.what & race::kFlags & ~u64{race::kWrite}) | (key & 1 ? u64{race::kWrite} : 0);
    return Access{access.strand,
                  race::what_word(key >> 1, access.lockset(), static_cast<u8>(broken >> shift), flags)};
  };
  const bool of_writes = !intruder.write();
  raw_log::violation({granule, part(pair, of_writes ? made.write : made.first),
                      part(intruder, site << 1 | u32{intruder.write()}),
                      part(pair, of_writes ? made.rewrite : made.again), evidence, nullptr, 0});
}

}  // namespace

void race_with_pairs(ThreadState& thread, uptr block, u32 granules, const Access& earlier, const Access& now,
                     race::Evidence evidence) {
  const Page* page = rt().shadow.find(block);
  const WatchedPage* watched = page ? page->watched.load(std::memory_order_acquire) : nullptr;
  if (!watched || earlier.free() || now.free()) return;
  BlockPairs* pairs =
      watched->pairs[(block & (kPageSize - 1)) >> kBlockShift].load(std::memory_order_acquire);
  if (pairs) pairs->forget_before(rt().order.solitudes());
  StrandContext context(thread, block);
  // A write comes between any two accesses, a read between two writes.
  auto visit = [&](uptr granule, Line& line, u32 word, u8 bytes) {
    const RepeatedWords* own = thread.judged ? &thread.judged->repeated : nullptr;
    if (own && (earlier.write() ? own->again : own->rewritten) >> word & 1)
      report(granule, bytes & earlier.bytes(), line, rt().repeats.get(thread.judged->again_of_word[word]),
             now, earlier, StrandContext::site_at(earlier, word), evidence);
    if (!pairs) return;
    for (const BlockPair& pair : *pairs) {
      const Access access = pair.access();
      if (!((now.write() ? pair.again : pair.rewritten) >> word & 1) || access.task() == now.task() ||
          context.before_by_structure(access) || context.share_a_lock(pair.locks, now.lockset()))
        continue;
      context.granules = 1u << (word / 2);
      const StrandContext::Racing racing = context.racing(access, now);
      if (!racing.surely && !racing.perhaps) continue;
      report(granule, bytes, line, rt().repeats.get(pair.key(word)), access, now,
             StrandContext::site_at(now, word),
             !racing.surely || context.before_in_full(access) ? race::Evidence::kPredicted
                                                              : race::Evidence::kCertain);
    }
  };
  for (; granules; granules &= granules - 1) {
    const u32 number = static_cast<u32>(__builtin_ctz(granules));
    const uptr granule = block + number * 8u;
    Line* line = find_line(*page, granule);
    for (u32 half = 0; line && half < 2; ++half)
      if (const u8 bytes = now.bytes() & static_cast<u8>(0x0f << 4 * half))
        visit(granule, *line, 2 * number + half, bytes);
  }
}

namespace {

// Asked while the strand changes: what is cached of its order is not to be trusted.
bool knows(const ThreadState& thread, u64 epoch) {
  const Access access{epoch, 0};
  const order::Task& own = *thread.context->task;
  return access.task() == own.id ||
         access.index() <= rt().order.known_by_structure(*rt().order.find(access.task()), own);
}

void note_unknown(ThreadState& thread, Now& now, const Location& location, u64 bytes) {
  Vector<Learned>& learned = thread.context->step->learned;
  now.for_each_remembered(bytes, [&](const Single& single) {
    if (single.access.write && !knows(thread, single.epoch)) learned.push_back({&location, single});
  });
}

}  // namespace

void about_to_learn(ThreadState& thread, uptr address, u32 size) {
  Page* page = rt().shadow.find(address);
  Line* line = page ? find_line(*page, address) : nullptr;
  if (!line) return;
  step_of(*thread.context);
  const uptr base = address & ~(kLineSize - 1);
  const u64 bytes = (size < 64 ? (u64{1} << size) - 1 : ~u64{0}) << (address - base);
  const Access access{thread.strand, thread.what};
  if (const u64 alone = bytes & line->alone) {
    Block& block = page->block(address);
    HeldBlock guard(block);
    Now now(thread, &block, base, nullptr, access);
    note_unknown(thread, now, line->location, alone);
  }
  for (Member* member = line->members; member; member = member->next) {
    if (!(member->bytes & bytes)) continue;
    SpinGuard guard(member->group->lock);
    Now now(thread, nullptr, base, member->group, access);
    note_unknown(thread, now, member->group->location, 1);
  }
}

void has_learned(ThreadState& thread) {
  if (!thread.context->step) return;
  Vector<Learned>& learned = thread.context->step->learned;
  for (u32 i = 0; i < learned.size();)
    if (knows(thread, learned[i].write.epoch))
      ++i;
    else
      learned.erase_swap(i);
}

void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& access) {
  Page& page = page_of(block, base);
  const WatchedPage* watched = page.watched.load(std::memory_order_acquire);
  if (!watched || !(watched->paired.load(std::memory_order_relaxed) & block_bit(base))) return;
  for (; granules; granules &= granules - 1) {
    const uptr address = base + static_cast<u32>(__builtin_ctz(granules)) * 8u;
    Line* line = find_line(page, address);
    if (!line || line->location.pairs.count() == 0) continue;
    forget_obsolete(line->location, line->solitude);
    const u32 word = 2 * static_cast<u32>(__builtin_ctz(granules));
    Access here = access;
    here.what = race::what_word(StrandContext::site_at(access, word + (access.bytes() & 0x0f ? 0 : 1)),
                                access.lockset(), access.bytes(), access.what & race::kFlags);
    Now now(thread, &block, address & ~(kLineSize - 1), nullptr, here);
    Rules::intrude(line->location,
                   single_of(thread, here, u64{access.bytes()} << (address & (kLineSize - 1))), now);
  }
}

}  // namespace heddle::watched
