#include "runtime/watched.hpp"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "checker/atomicity/pairs.hpp"
#include "runtime/access_path.hpp"
#include "runtime/judge.hpp"
#include "runtime/strand_context.hpp"

namespace heddle::watched {

bool g_any = false;
bool g_functions = false;
std::atomic<u32> g_version{0};

using atomicity::First;
using atomicity::Location;
using atomicity::Pair;
using atomicity::Single;
using race::Access;

struct Range {
  uptr address;
  usize size;
};

struct Group {
  SpinLock lock;
  Location location;  // its one byte stands for all members
  Vector<Range> members;
  u32 solitude = 0;
};

// Which bytes of 64 belong to the group.
struct Member {
  u64 bytes;
  Group* group;
  Member* next;
};

// 64 bytes.
struct Line {
  Location location;
  u64 alone = 0;  // annotated, each by itself
  Member* members = nullptr;
  u32 solitude = 0;

  u64 grouped() const {
    u64 bytes = 0;
    for (const Member* member = members; member; member = member->next) bytes |= member->bytes;
    return bytes;
  }
};

constexpr u32 kLineShift = 6;
constexpr uptr kLineSize = uptr{1} << kLineShift;

namespace {

bool g_critical_sections = false;
Vector<Range>& functions() {
  static Vector<Range>* all = memory::make<Vector<Range>>();
  return *all;
}
SpinLock g_lock;  // for what is made once: groups, lines
Vector<Group*>& groups() {
  static Vector<Group*>* all = memory::make<Vector<Group*>>();
  return *all;
}

struct ExcludingLocksets {
  bool subset(u32 a, u32 b) const { return rt().locksets.subset(a, b); }
  bool exclude_each_other(u32 a, u32 b) const { return rt().locksets.share_a_lock(a, b); }
};
ExcludingLocksets g_locksets;
using Gaps = atomicity::Gaps<ExcludingLocksets>;
Gaps& all_gaps() {
  static Gaps* gaps = memory::make<Gaps>(g_locksets);
  return *gaps;
}

// --- what is watched -------------------------------------------------------------------------------------------------

Line* find_line(const Page& page, uptr address) {
  const WatchedPage* watched = page.watched.load(std::memory_order_acquire);
  return watched ? watched->lines[(address & (kPageSize - 1)) >> kLineShift].load(std::memory_order_acquire)
                 : nullptr;
}

Line& make_line(Page& page, uptr address) {
  if (Line* line = find_line(page, address)) return *line;
  SpinGuard guard(g_lock);
  WatchedPage* watched = page.watched.load(std::memory_order_relaxed);
  if (!watched) {
    watched = static_cast<WatchedPage*>(memory::allocate(sizeof(WatchedPage)));
    page.watched.store(watched, std::memory_order_release);
  }
  auto& place = watched->lines[(address & (kPageSize - 1)) >> kLineShift];
  if (!place.load(std::memory_order_relaxed)) place.store(memory::make<Line>(), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

// Calls visit(begin of the line, bytes) for each line that the range touches.
template <class Visit>
void for_each_line(uptr begin, uptr end, Visit visit) {
  for (uptr at = begin; at < end;) {
    const uptr base = at & ~(kLineSize - 1), stop = base + kLineSize < end ? base + kLineSize : end;
    u64 bytes = ~u64{0} << (at - base);
    if (stop < base + kLineSize) bytes &= (u64{1} << (stop - base)) - 1;
    visit(base, bytes);
    at = stop;
  }
}

// --- steps -----------------------------------------------------------------------------------------------------------

u64 step_number(const TaskContext& context) { return context.task->now - context.within_step; }
constexpr u64 kRegion = u64{1} << 63;

Step& step_of(TaskContext& context) {
  if (!context.step) context.step = memory::make<Step>();
  Step& step = *context.step;
  if (step.number != step_number(context)) {
    step.number = step_number(context);
    step.moments.begin();
    ++step.region;  // a region ends with the step
  }
  return step;
}

// --- the rules -------------------------------------------------------------------------------------------------------

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
    return first.step & kRegion ? !now.in_region() || first.step != (now.region | kRegion)
                                : first.step != now.number;
  }
  bool before(u64 epoch) { return strand().before_by_structure({epoch, 0}); }
  bool bound_together(const Pair& pair, const Single& single) {
    const Access last = access_of(pair.epoch, pair.last, pair.bound_to),
                 other = access_of(single.epoch, single.access, single.bound_to);
    StrandContext context = strand();
    context.granules = granule_of(pair.bytes & single.bytes);
    return last.task() == task() ? context.thread_bound(other, last) : context.thread_bound(last, other);
  }
  const atomicity::Moments& moments() const { return state().moments; }
  Gaps& gaps() const { return all_gaps(); }
  bool subset(u32 a, u32 b) const { return rt().locksets.subset(a, b); }

  template <class Visit>
  void for_each_single(u64 bytes, Visit&& visit) {
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
    const bool certain = one_lock || !strand().before_in_full({earlier, 0});
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
  TaskContext& context() const { return *thread_.context; }
  const Step& state() const { return *context().step; }
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
    return {strand,
            race::what_word(made.site, made.locks, mask,
                            (made.write ? u64{race::kWrite} : 0) | (made.atomic ? 0 : u64{race::kPlain}) |
                                (bound_to ? u64{race::kBound} : 0))};
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
            access.bound() ? rt().order.find(access.task())->thread.load(std::memory_order_relaxed) : 0;
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
          access.bound() ? thread.number : 0};
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
  const uptr base = address & ~(kLineSize - 1), granule = address >> 3;
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
  step_of(*thread.context);
  // What is not settled yet: only what is meant can be.
  u64 open = alone | (region ? bytes : 0) | (grouped ? line->grouped() & bytes : 0);
  {
    HeldBlock guard(block);
    if (is_new) judge(thread, block, address & ~(kBlockSize - 1), 1u << (granule & 31), now);
    if (line) {
      Now context(thread, &block, base, nullptr, now);
      forget_obsolete(line->location, line->solitude);
      if (alone) open &= ~alone | ~Rules::advance(line->location, single_of(thread, now, alone), context);
      context.in_region = true;
      if (const u64 rest = bytes & ~line->alone; region && rest && !grouped)
        open &= ~rest | ~Rules::advance(line->location, single_of(thread, now, rest), context);
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

}  // namespace

void destroy(Step* step) { memory::destroy(step); }

namespace {

// It has returned, or what it was called from was left by a jump.
bool function_is_over(const ThreadState& thread, const Step& step) {
  return step.in_function && static_cast<u32>(thread.top - thread.frames) < step.in_function;
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

void enter_function(ThreadState& thread, uptr pc) {
  if (!running(thread) || !thread.active) return;
  bool watched = false;
  for (const Range& function : functions()) watched |= pc - function.address < function.size;
  if (!watched) return;
  RuntimeScope scope(thread);
  Step& step = step_of(*thread.context);
  if (function_is_over(thread, step)) step.in_function = 0;
  if (step.in_region()) return;  // the outermost counts
  ++step.region;
  step.in_function = static_cast<u32>(thread.top - thread.frames) + 1;
}

bool take(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  if (HEDDLE_UNLIKELY(g_functions) && thread.context->step &&
      function_is_over(thread, *thread.context->step)) {
    thread.context->step->in_function = 0;
    refresh(thread);
  }
  const bool region = in_region(*thread.context);
  Page* page = region ? rt().shadow.page(address) : rt().shadow.find(address);
  if (!page) return false;
  if (!region) {
    const WatchedPage* watched = page->watched.load(std::memory_order_acquire);
    if (!watched ||
        !(watched->blocks.load(std::memory_order_relaxed) >> ((address & (kPageSize - 1)) >> kBlockShift) &
          1))
      return false;
  }
  thread.active = false;
  BlockSet* set = set_of_block(thread, address);
  for (const uptr end = address + size; address < end;) {
    u32 here = 8 - (address & 7);
    if (here > end - address) here = static_cast<u32>(end - address);
    const u8 settled = touch_granule(thread, *page, address, here, flags, pc);
    if (set && (flags & race::kPlain)) mark(*set, address, here, settled, flags & race::kWrite);
    address += here;
  }
  thread.active = true;
  return true;
}

void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& access) {
  Page* page = rt().shadow.find(base);
  if (!page || !page->watched.load(std::memory_order_acquire)) return;
  for (; granules; granules &= granules - 1) {
    const uptr address = base + static_cast<u32>(__builtin_ctz(granules)) * 8u;
    Line* line = find_line(*page, address);
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

void locks_changed(ThreadState& thread) {
  TaskContext& context = *thread.context;
  if (g_critical_sections) {
    const bool inside = context.lockset != 0;
    Step& step = step_of(context);
    if (inside && !step.in_region()) ++step.region;
    step.in_section = inside;
  }
  if (context.step && context.step->number == step_number(context))
    context.step->moments.note(context.lockset, g_locksets);
}

void begin_region(ThreadState& thread) {
  if (!running(thread)) return;
  g_any = true;
  Step& step = step_of(*thread.context);
  if (!step.in_region()) ++step.region;
  ++step.depth;
}

void end_region(ThreadState& thread) {
  if (running(thread) && thread.context->step && thread.context->step->depth) --thread.context->step->depth;
}

// --- annotations -----------------------------------------------------------------------------------------------------

u32 new_group() {
  SpinGuard guard(g_lock);
  groups().push_back(memory::make<Group>());
  return groups().size();
}

namespace {

void join_group(Line& line, u64 bytes, Group& group) {
  for (Member* left = line.members; left; left = left->next)
    if (!left->bytes) {
      *left = {bytes, &group, left->next};
      return;
    }
  line.members = memory::make<Member>(Member{bytes, &group, line.members});
}

}  // namespace

void annotate(uptr address, usize size, u32 group) {
  Group* of = nullptr;
  if (group) {
    SpinGuard guard(g_lock);
    of = groups()[group - 1];
  }
  if (of) {
    SpinGuard guard(of->lock);
    of->members.push_back({address, size});
  }
  bool any_new = false;
  for_each_line(address, address + size, [&](uptr base, u64 bytes) {
    Page* page = rt().shadow.page(base);
    if (!page) return;
    Line& line = make_line(*page, base);
    {
      HeldBlock guard(page->block(base));
      const u64 taken = line.alone | line.grouped();  // a byte is of whatever claims it first
      if (of)
        join_group(line, bytes & ~taken, *of);
      else
        line.alone |= bytes & ~taken;
    }
    const u32 bit = 1u << ((base & (kPageSize - 1)) >> kBlockShift);
    any_new |= !(page->watched.load(std::memory_order_relaxed)->blocks.fetch_or(bit) & bit);
  });
  g_any = true;
  if (any_new) g_version.fetch_add(1, std::memory_order_release);
}

namespace {

// What lies in these bytes of a line is no member any more, and what the group knew was about it, too.
void leave_group(Group& group, uptr begin, uptr end, u64 bytes) {
  SpinGuard guard(group.lock);
  for (u32 i = 0; i < group.members.size();) {
    const Range& range = group.members[i];
    const uptr from = range.address > begin ? range.address : begin,
               to = range.address + range.size < end ? range.address + range.size : end;
    u64 of_range = 0;
    if (from < to) of_range = ~u64{0} << (from - begin) & ~u64{0} >> (end - to);
    if (of_range & bytes)
      group.members.erase_swap(i);
    else
      ++i;
  }
  group.location.clear(~u64{0});
}

}  // namespace

void forget(Page& page, uptr begin, uptr end) {
  if (!page.watched.load(std::memory_order_acquire)) return;
  for_each_line(begin, end, [&](uptr base, u64 bytes) {
    Line* line = find_line(page, base);
    if (!line) return;
    {
      HeldBlock guard(page.block(base));
      line->alone &= ~bytes;
      line->location.clear(bytes);
    }
    for (Member* member = line->members; member; member = member->next) {
      if (!(member->bytes & bytes)) continue;
      member->bytes = 0;
      leave_group(*member->group, base, base + kLineSize, bytes);
    }
  });
}

void forget(uptr address, usize size) {
  for (uptr at = address; at < address + size;) {
    uptr stop = (at & ~(kPageSize - 1)) + kPageSize;
    if (stop > address + size) stop = address + size;
    if (Page* page = rt().shadow.find(at)) forget(*page, at, stop);
    at = stop;
  }
}

// --- what the tool says ----------------------------------------------------------------------------------------------

namespace {

uptr program_base() {
  uptr base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uptr*>(data) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

}  // namespace

// "critical-sections;function:0x8+64;0x10+4;0x20+8,0x28+8": addresses are those of the executable's file; with commas, a group.
void read_environment() {
  const char* text = getenv("HEDDLE_ATOMIC");
  if (!text) return;
  const uptr base = program_base();
  while (*text) {
    const char* end = strchrnul(text, ';');
    if (strncmp(text, "critical-sections", 17) == 0) {
      g_critical_sections = g_any = true;
    } else {
      const bool function = strncmp(text, "function:", 9) == 0;
      if (function) text += 9;
      const bool grouped = strchrnul(text, ',') < end;
      const u32 group = grouped ? new_group() : 0;
      for (const char* at = text; at < end;) {
        char* stop;
        const uptr address = base + strtoull(at, &stop, 16);
        const usize size = *stop == '+' ? strtoull(stop + 1, &stop, 10) : 0;
        if (size && function) {
          functions().push_back({address, size});
          g_functions = g_any = true;
        } else if (size) {
          annotate(address, size, group);
        }
        at = stop < end ? stop + 1 : end;
        if (stop == at) break;
      }
    }
    text = *end ? end + 1 : end;
  }
}

}  // namespace heddle::watched
