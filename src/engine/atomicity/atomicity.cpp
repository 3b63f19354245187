#include "engine/atomicity/atomicity.hpp"

#include "engine/access_kind.hpp"
#include "engine/atomicity/atomic_data.hpp"
#include "engine/atomicity/gaps.hpp"
#include "engine/entry_list.hpp"
#include "engine/happens_before.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {
namespace {

struct Single {
  u64 bytes = 0;
  Epoch epoch = 0;
  u32 site = 0;
  Lockset locks = 0;
  u32 bound_to = 0;
  Kind kind = Kind::kRead;
};

struct Pair {
  u64 bytes = 0;
  Epoch epoch = 0;
  u32 first_site = 0, last_site = 0;
  Gap gap = 0;
  u32 bound_to = 0;
  Kind first = Kind::kRead, last = Kind::kRead;

  // By a read, too.
  bool of_writes() const { return writes(first) && writes(last); }
};

// The first access of a step, or its first write. The gap reaches up to the `seen`-th lock operation of the step.
struct First {
  u64 bytes = 0;
  u64 step = 0;  // of its task: if that is in another one by now, this says nothing any more
  TaskIndex task = 0;
  u32 site = 0;
  u32 bound_to = 0;
  Gap gap = 0;
  u32 seen = 0;
  Kind kind = Kind::kRead;
};

struct Block {
  EntryList<Single> singles;
  EntryList<Pair> pairs;
  EntryList<First> firsts;
  u64 broken = 0;  // bytes with a violation: they are not looked at again

  void clear(u64 bytes) {
    singles.clear(bytes);
    pairs.clear(bytes);
    firsts.clear(bytes);
    broken &= ~bytes;
  }
};

// Where a task is.
struct StepState {
  u64 number = 0;                   // of all steps
  std::vector<Lockset> held = {0};  // after each lock operation of the step
};

bool bound_to_one_thread(u32 a, u32 b) { return a != 0 && a == b; }

class AtomicityEngine final : public OrderedEngine<AtomicityEngine, HappensBefore> {
 public:
  explicit AtomicityEngine(const Options& options)
      : OrderedEngine(/*with_locks=*/false), options_(options), atomic_(options.atomic), gaps_(locksets_) {}
  ~AtomicityEngine() override {
    shadow_.for_each([](Block& block, u64) {
      block.singles.destroy();
      block.pairs.destroy();
      block.firsts.destroy();
    });
  }

  void add(const event::Event& event) override {
    if (event::ends_step(event)) {
      StepState& step = step_of(index_of(event::task_of(event)));
      begin_step(step, step.held.back());
    }
    OrderedEngine::add(event);
  }
  bool done() const override { return options_.first_race && !violations.empty(); }
  usize memory_used() const override {
    usize bytes = shadow_.memory();
    shadow_.for_each([&](Block& block, u64) {
      bytes += block.singles.memory() + block.pairs.memory() + block.firsts.memory();
    });
    return bytes;
  }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_}, {"locksets", locksets_.count()}, {"gaps", gaps_.count()}};
  }

 private:
  friend class CoreEngine<AtomicityEngine>;

  void fork(TaskIndex task, TaskIndex child) override {
    order_.fork(task, child);
    begin_step(step_of(child), 0);
  }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    auto& held = step_of(task).held;
    held.push_back(locksets_.with(held.back(), lock, write));
  }
  void release(TaskIndex task, u32 lock, bool) override {
    auto& held = step_of(task).held;
    held.push_back(locksets_.without(held.back(), lock));
  }
  void new_memory(TaskIndex, u64 address, u64 size) override {
    shadow_.for_range(address, size, [](Block& block, u64, u64 bytes) { block.clear(bytes); });
  }

  void begin_step(StepState& step, Lockset held) {
    step.number = ++steps_begun_;
    step.held.assign(1, held);
  }

  void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    auto touch_range = [&](u64 address, u64 size) {
      for_each_block(address, size, [&](u64 base, u64 bytes) { touch_block(task, a, base, bytes); });
    };
    if (atomic_.is_everything()) return touch_range(a.address, a.size);
    atomic_.divide(
        a.address, a.size, [&](u32 group) { touch_range(AtomicData::place_of(group), 1); }, touch_range);
  }

  void touch_block(TaskIndex task, const Access& a, u64 base, u64 bytes) {
    Block& block = shadow_[base];
    StepState& step = step_of(task);
    Single now{bytes, order_.now(task), a.site, step.held.back(), a.bound_to, kind_of(a.write, a.atomic)};
    intrude(task, now, block, base);
    for (First* first = block.firsts.begin(); first != block.firsts.end();) {
      if (first->step != step_of(first->task).number) {
        block.firsts.remove(first);
        continue;
      }
      if (first->task == task && (first->bytes & bytes & ~block.broken)) {
        widen(*first, step);
        const u32 bound_to = first->bound_to ? first->bound_to : now.bound_to;
        close(task,
              {first->bytes & bytes, now.epoch, first->site, now.site, first->gap, bound_to, first->kind,
               now.kind},
              block, base);
      }
      ++first;
    }
    begin(task, now, step, block.firsts);
    now.bytes &= ~block.broken;
    remember(task, now, block.singles);
  }

  // Does it come between the accesses of a pair?
  void intrude(TaskIndex task, const Single& now, Block& block, u64 base) {
    for (const Pair& pair : block.pairs) meet(task, pair.epoch, pair, now, block, base);
  }
  // Does somebody come between these two? And if somebody does later?
  void close(TaskIndex task, Pair pair, Block& block, u64 base) {
    for (const Single& single : block.singles) meet(task, single.epoch, pair, single, block, base);
    pair.bytes &= ~block.broken;
    remember(task, pair, block.pairs);
  }
  // One of the two is of the task, now; the other has the epoch.
  void meet(TaskIndex task, Epoch earlier, const Pair& pair, const Single& single, Block& block, u64 base) {
    const u64 both = pair.bytes & single.bytes & ~block.broken;
    if (!both || !unserialisable(writes(pair.first), writes(single.kind), writes(pair.last)) ||
        bound_to_one_thread(pair.bound_to, single.bound_to) || order_.before(earlier, task) ||
        !gaps_.lets_in(pair.gap, single.locks))
      return;
    block.broken |= both;
    violations.add(side(pair.first_site, pair.first), side(single.site, single.kind),
                   side(pair.last_site, pair.last), atomic_.shown_address(base), both);
  }

  void widen(First& first, const StepState& step) {
    for (; first.seen + 1 < step.held.size() && !gaps_.is_open(first.gap); ++first.seen)
      first.gap = gaps_.with(first.gap, step.held[first.seen + 1]);
  }

  // Is it the first access of its step to these bytes, or the first write?
  void begin(TaskIndex task, const Single& now, const StepState& step, EntryList<First>& firsts) {
    u64 bytes = now.bytes;
    for (const First& first : firsts)
      if (first.task == task && first.bound_to == now.bound_to && (writes(first.kind) || !writes(now.kind)))
        bytes &= ~first.bytes;
    if (bytes)
      firsts.add({bytes, step.number, task, now.site, now.bound_to, gaps_.at(now.locks),
                  static_cast<u32>(step.held.size() - 1), now.kind});
  }

  // Whom b breaks, or who breaks b, still to come: so does a, or so do they a.
  bool stands_for(const Single& a, const Single& b) {
    return (writes(a.kind) || !writes(b.kind)) && (a.bound_to == 0 || a.bound_to == b.bound_to) &&
           locksets_.subset(a.locks, b.locks);
  }
  bool stands_for(const Pair& a, const Pair& b) {
    return (a.of_writes() || !b.of_writes()) && (a.bound_to == 0 || a.bound_to == b.bound_to) &&
           gaps_.at_least(a.gap, b.gap);
  }

  template <class Entry>
  void remember(TaskIndex task, Entry now, EntryList<Entry>& entries) {
    for (const Entry& entry : entries)
      if (entry.epoch == now.epoch && (entry.bytes & now.bytes) && stands_for(entry, now))
        now.bytes &= ~entry.bytes;
    if (!now.bytes) return;
    for (Entry* earlier = entries.begin(); earlier != entries.end();) {
      const u64 both = earlier->bytes & now.bytes;
      if (both && stands_for(now, *earlier) && order_.before(earlier->epoch, task)) earlier->bytes &= ~both;
      if (earlier->bytes == 0)
        entries.remove(earlier);
      else
        ++earlier;
    }
    entries.add(now);
  }

  StepState& step_of(TaskIndex task) {
    if (task >= steps_.size()) steps_.resize(task + 1);
    return steps_[task];
  }

  Options options_;
  AtomicData atomic_;
  mutable Paged<Block> shadow_;
  Locksets locksets_;
  Gaps gaps_;
  std::vector<StepState> steps_;  // by task
  u64 steps_begun_ = 0;
  u64 accesses_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_atomicity(const Options& options) {
  return std::make_unique<AtomicityEngine>(options);
}

}  // namespace heddle::engine
