#include "engine/atomicity/atomicity.hpp"

#include <array>
#include <deque>

#include "checker/atomicity/pairs.hpp"
#include "engine/atomicity/atomic_data.hpp"
#include "engine/happens_before.hpp"
#include "engine/locksets.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {
namespace {

using atomicity::First;
using atomicity::Made;
using atomicity::Pair;
using atomicity::Single;

struct Block {
  EntryList<Single> singles;
  atomicity::Location location;

  void clear(u64 bytes) {
    singles.clear(bytes);
    location.clear(bytes);
  }
};

// What the task's accesses to 64 bytes have settled (Rules::advance) since its last release of a lock: the running
// program's marks.
struct Settled {
  u64 base = 0, since = 0, renewals = 0;
  u64 reads = 0, writes = 0;
  u32 bound_to = 0;
};

// The current step of a task.
struct StepState {
  u64 number = 0;  // of all steps
  Lockset held = 0;
  atomicity::Moments moments;
  u64 since = 0;  // a unique time: of the step's beginning, or of the last release in it
  std::array<Settled, 8> settled;

  Settled& settled_at(u64 base) { return settled[base / 64 % settled.size()]; }
};

bool bound_to_one_thread(u32 a, u32 b) { return a != 0 && a == b; }

Side side(const Made& access) { return {access.site, access.write, access.atomic}; }

class AtomicityEngine final : public OrderedEngine<AtomicityEngine, HappensBefore> {
 public:
  explicit AtomicityEngine(const Options& options)
      : OrderedEngine(/*with_locks=*/false), options_(options), atomic_(options.atomic), gaps_(locksets_) {}
  ~AtomicityEngine() override {
    shadow_.for_each([](Block& block, u64) {
      block.singles.destroy();
      block.location.destroy();
    });
  }

  void add(const event::Event& event) override {
    if (event::ends_step(event)) begin_step(step_of(index_of(event::task_of(event))));
    OrderedEngine::add(event);
  }
  bool done() const override { return options_.first_race && !violations.empty(); }
  usize memory_used() const override {
    usize bytes = shadow_.memory();
    shadow_.for_each([&](Block& block, u64) { bytes += block.singles.memory() + block.location.memory(); });
    return bytes;
  }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_}, {"locksets", locksets_.count()}, {"gaps", gaps_.count()}};
  }

 private:
  friend class CoreEngine<AtomicityEngine>;

  // The task of an access, for the rules.
  struct Now {
    AtomicityEngine& engine;
    TaskIndex index;
    Block& block;
    u64 base;

    u32 task() const { return index; }
    u64 step() const { return engine.step_of(index).number; }
    bool over(const First& first) const { return first.step != engine.step_of(first.task).number; }
    bool before(u64 epoch) const { return engine.order_.before(epoch, index); }
    // A history does not distinguish atomic variables from semaphores.
    bool acquired_there(const Single&) const { return false; }
    bool bound_together(const Pair& pair, const Single& single) const {
      return bound_to_one_thread(pair.bound_to, single.bound_to);
    }
    const atomicity::Moments& moments() const { return engine.step_of(index).moments; }
    auto& gaps() const { return engine.gaps_; }
    bool subset(Lockset a, Lockset b) const { return engine.locksets_.subset(a, b); }
    template <class Visit>
    void for_each_single(u64, Visit&& visit) const {
      for (const Single& single : block.singles) visit(single);
    }
    void violation(const Pair& pair, const Single& single, u64 bytes) const {
      engine.violations.add(side(pair.first), side(single.access), side(pair.last),
                            engine.atomic_.shown_address(base), bytes);
    }
  };
  using Rules = atomicity::Rules<Now>;

  void fork(TaskIndex task, TaskIndex child) override {
    order_.fork(task, child);
    step_of(child).held = 0;
    begin_step(step_of(child));
  }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    StepState& step = step_of(task);
    step.moments.note(step.held = locksets_.with(step.held, lock, write), locksets_);
  }
  void release(TaskIndex task, u32 lock, bool) override {
    StepState& step = step_of(task);
    step.moments.note(step.held = locksets_.without(step.held, lock), locksets_);
    step.since = ++times_;
  }
  void new_memory(TaskIndex, u64 address, u64 size) override {
    shadow_.for_range(address, size, [](Block& block, u64, u64 bytes) { block.clear(bytes); });
    ++renewals_;
  }

  void begin_step(StepState& step) {
    step.number = step.since = ++times_;
    step.moments.begin();
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
    StepState& step = step_of(task);
    Settled& settled = step.settled_at(base);
    if (settled.base != base || settled.since != step.since || settled.renewals != renewals_ ||
        settled.bound_to != a.bound_to)
      settled = {base, step.since, renewals_, 0, 0, a.bound_to};
    bytes &= ~(a.write ? settled.writes : settled.reads);
    if (!bytes) return;
    Block& block = shadow_[base];
    Now context{*this, task, block, base};
    Single now{bytes, order_.now(task), {a.site, step.held, a.write, a.atomic}, a.bound_to};
    Rules::intrude(block.location, now, context);
    const u64 done = Rules::advance(block.location, now, context);
    settled.reads |= done;
    if (a.write) settled.writes |= done;
    now.bytes &= ~block.location.broken;
    if (now.bytes) Rules::remember(block.singles, now, context);
  }

  StepState& step_of(TaskIndex task) {
    while (task >= steps_.size()) steps_.emplace_back();
    return steps_[task];
  }

  Options options_;
  AtomicData atomic_;
  mutable Paged<Block> shadow_;
  Locksets locksets_;
  atomicity::Gaps<Locksets> gaps_;
  std::deque<StepState> steps_;  // by task
  u64 times_ = 0;
  u64 renewals_ = 0;  // how often memory became new
  u64 accesses_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_atomicity(const Options& options) {
  return std::make_unique<AtomicityEngine>(options);
}

}  // namespace heddle::engine
