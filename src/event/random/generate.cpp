#include "event/random/generate.hpp"

#include <algorithm>
#include <map>

namespace heddle::event {
namespace {

// Generates the body of one task, and those of the tasks it spawns.
class Generator {
 public:
  Generator(const Features& features, const Shape& shape, Rng& rng)
      : features_(features), shape_(shape), rng_(rng), left_(shape.steps) {}

  Program run() {
    make_body();
    while (left_ > 0) fill(0, share(), 0);
    finish(0);
    return std::move(program_);
  }

 private:
  // The state of a body during its generation.
  struct Writing {
    std::vector<std::pair<u32, bool>> held;  // lock, for writing
    u32 groups = 0;
    bool is_task = false;          // others may be spawned beside it
    std::map<u64, u32> exclusion;  // address -> lock of its children's mutexinoutset clauses
  };

  u32 make_body() {
    program_.bodies.emplace_back();
    writing_.emplace_back();
    return static_cast<u32>(program_.bodies.size() - 1);
  }
  void add(u32 task, Step step) { program_.bodies[task].steps.push_back(std::move(step)); }
  // A few steps: long bodies are rare.
  u32 share() { return 1 + rng_.below(1 + std::min(left_, rng_.percent(20) ? 16u : 6u)); }

  void fill(u32 task, u32 steps, u32 depth) {
    for (u32 i = 0; i < steps && left_ > 0; ++i) {
      --left_;
      step(task, depth);
    }
  }

  void child(u32 task, u32 depth) {
    fill(task, rng_.percent(5) ? 0 : share(), depth + 1);
    finish(task);
  }

  // A task ends without locks; groups are closed unless the features leave some open.
  void finish(u32 task) {
    release_all(task);
    while (writing_[task].groups > 0) {
      if (rng_.percent(features_.leave_group_open_percent)) return;
      --writing_[task].groups;
      add(task, {.op = Step::kGroupClose});
    }
  }
  void release_all(u32 task) {
    while (!writing_[task].held.empty()) release(task, static_cast<u32>(writing_[task].held.size() - 1));
  }
  void release(u32 task, u32 which) {
    auto& held = writing_[task].held;
    add(task, {.op = Step::kRelease, .number = held[which].first, .write = held[which].second});
    held.erase(held.begin() + which);
  }

  void step(u32 task, u32 depth) {
    const Features& f = features_;
    bool deeper = depth < shape_.depth;
    // No task waits for others while it holds a lock: schedules must not deadlock.
    bool may_wait = writing_[task].held.empty();
    u32 weights[] = {f.access,
                     f.lock,
                     deeper ? f.spawn : 0,
                     deeper && may_wait ? f.undeferred : 0,
                     may_wait ? f.wait : 0,
                     may_wait ? f.wait_depend : 0,
                     may_wait ? f.group : 0,
                     deeper && may_wait ? f.parallel : 0,
                     deeper ? f.thread : 0,
                     may_wait ? f.join_thread : 0,
                     f.signal,
                     f.await,
                     f.bind,
                     f.new_memory,
                     deeper && writing_[task].is_task ? f.beside : 0,
                     may_wait ? f.detach_thread : 0};
    u32 total = 0;
    for (u32 weight : weights) total += weight;
    u32 pick = rng_.below(total), which = 0;
    while (pick >= weights[which]) pick -= weights[which++];
    switch (which) {
      case 0:
        return access(task);
      case 1:
        return lock(task);
      case 2:
        return spawn(task, SpawnKind::kTask, depth);
      case 3:
        return spawn(task, SpawnKind::kUndeferred, depth);
      case 4:
        return add(task, {.op = Step::kWaitChildren});
      case 5:
        return add(task, {.op = Step::kWaitDepend, .depends = depends(nullptr)});
      case 6:
        return group(task);
      case 7:
        return parallel(task, depth);
      case 8:
        return spawn(task, SpawnKind::kThread, depth);
      case 9:
        return leave_thread(task, Step::kJoinThread);
      case 10:
        return add(task,
                   {.op = Step::kSignal, .number = rng_.below(shape_.objects), .write = rng_.percent(40)});
      case 11:
        return add(task, {.op = Step::kAwait, .number = rng_.below(shape_.objects)});
      case 12:
        return add(task, {.op = Step::kBind});
      case 13:
        return new_memory(task);
      case 14:
        return spawn(task, SpawnKind::kBeside, depth);
      case 15:
        return leave_thread(task, Step::kDetachThread);
    }
  }

  void access(u32 task) {
    Step step{
        .op = Step::kAccess, .write = rng_.percent(features_.write_percent), .atomic = rng_.percent(12)};
    u32 location = rng_.below(shape_.locations);
    step.address = u64{location} * 8;
    // Each task has one view of each location: it is a thread's own, or not.
    step.bound = features_.bound_memory && (task + location) % 2;
    if (rng_.percent(40)) {
      u32 from = rng_.below(8);
      step.address += from;
      step.size = 1 + rng_.below(8 - from);
    }
    add(task, step);
  }

  // One location or several; often not aligned to their borders.
  void new_memory(u32 task) {
    u32 first = rng_.below(shape_.locations), count = 1 + rng_.below(shape_.locations - first);
    Step step{.op = Step::kNewMemory, .address = u64{first} * 8, .size = count * 8};
    if (rng_.percent(30)) {
      u32 cut = rng_.below(8);
      step.address += cut;
      step.size -= cut;
    }
    add(task, step);
  }

  void lock(u32 task) {
    auto& held = writing_[task].held;
    if (!features_.lock_order) return lock_any(task);
    u32 lowest = 0;
    for (auto& [lock, write] : held) lowest = std::max(lowest, lock + 1);
    if (lowest >= shape_.locks || (!held.empty() && rng_.percent(60))) {
      if (!held.empty()) release(task, rng_.below(static_cast<u32>(held.size())));
      return;
    }
    u32 lock = lowest + rng_.below(shape_.locks - lowest);
    bool write = rng_.percent(75);
    held.push_back({lock, write});
    add(task, {.op = Step::kAcquire, .number = lock, .write = write});
  }

  // Any lock that it does not hold.
  void lock_any(u32 task) {
    auto& held = writing_[task].held;
    const u32 lock = rng_.below(shape_.locks);
    const bool has =
        std::any_of(held.begin(), held.end(), [&](const auto& each) { return each.first == lock; });
    if (has || (!held.empty() && rng_.percent(30)))
      return release(task, rng_.below(static_cast<u32>(held.size())));
    const bool write = rng_.percent(75);
    held.push_back({lock, write});
    add(task, {.op = Step::kAcquire, .number = lock, .write = write, .tries = rng_.percent(15)});
  }

  std::vector<Depend> depends(std::vector<u64>* exclusive) {
    std::vector<Depend> made;
    u32 count = rng_.percent(75) ? 1 : 2;
    for (u32 i = 0; i < count; ++i) {
      if (rng_.percent(6)) {
        made.push_back({0, DependKind::kAllMemory});
        continue;
      }
      auto kind = static_cast<DependKind>(rng_.below(4));
      u64 address = rng_.below(shape_.addresses);
      made.push_back({address, kind});
      if (exclusive && kind == DependKind::kMutexinoutset) exclusive->push_back(address);
    }
    return made;
  }

  void spawn(u32 task, SpawnKind kind, u32 depth) {
    u32 made = make_body();
    Step step{.op = Step::kSpawn, .number = made, .kind = kind};
    writing_[made].is_task = kind == SpawnKind::kTask || kind == SpawnKind::kBeside;
    if (kind == SpawnKind::kThread) {
      threads_.push_back(made);
    } else if (kind != SpawnKind::kBeside && rng_.percent(features_.depend_percent)) {
      std::vector<u64> exclusive;
      step.depends = depends(&exclusive);
      for (u64 address : exclusive) {  // siblings exclude each other: one lock per parent and address
        u32& lock = writing_[task].exclusion[address];
        if (!lock) lock = shape_.locks + next_exclusion_++;
        program_.bodies[made].locks.push_back(lock);
      }
      auto& locks = program_.bodies[made].locks;
      std::sort(locks.begin(), locks.end());
      locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
    }
    add(task, step);
    child(made, depth);
  }

  void group(u32 task) {
    u32& open = writing_[task].groups;
    if (open > 0 && rng_.percent(50)) {
      --open;
      add(task, {.op = Step::kGroupClose});
    } else if (open < 3) {
      ++open;
      add(task, {.op = Step::kGroupOpen});
    }
  }

  // Joined or detached: once.
  void leave_thread(u32 task, Step::Op op) {
    if (threads_.empty()) return;
    u32 which = rng_.below(static_cast<u32>(threads_.size()));
    u32 thread = threads_[which];
    if (thread == task) return;
    threads_.erase(threads_.begin() + which);
    add(task, {.op = op, .number = thread});
  }

  void parallel(u32 task, u32 depth) {
    u32 number = static_cast<u32>(program_.teams.size());
    program_.teams.emplace_back();
    add(task, {.op = Step::kParallel, .number = number});
    u32 threads = rng_.between(1, 3), phases = rng_.between(1, 3);
    TeamPlan plan;
    for (u32 i = 0; i < threads; ++i) {
      plan.threads.push_back(make_body());
      program_.bodies.back().team = number;
    }
    plan.work.resize(phases);
    for (u32 phase = 0; phase < phases; ++phase) {
      while (rng_.percent(35)) {
        u32 work = make_body();
        plan.work[phase].push_back(work);
        child(work, depth);
      }
      for (u32 thread : plan.threads) {
        fill(thread, rng_.below(5), depth + 1);
        if (rng_.percent(40)) {
          release_all(thread);
          add(thread, {.op = Step::kTakeWork});
        }
        fill(thread, rng_.below(3), depth + 1);
        release_all(thread);
        if (phase + 1 < phases) add(thread, {.op = Step::kBarrier});
      }
    }
    for (u32 thread : plan.threads) finish(thread);
    program_.teams[number] = std::move(plan);
  }

  const Features& features_;
  const Shape& shape_;
  Rng& rng_;
  Program program_;
  std::vector<Writing> writing_;
  std::vector<u32> threads_;
  u32 left_;
  u32 next_exclusion_ = 0;
};

}  // namespace

const char* name(Model model) {
  switch (model) {
    case Model::kOpenmp:
      return "openmp";
    case Model::kThreads:
      return "threads";
    case Model::kAsync:
      return "async";
    case Model::kMixed:
      return "mixed";
    case Model::kLocks:
      return "locks";
    case Model::kLockOrders:
      return "lock_orders";
  }
  return "?";
}

Features features_of(Model model, Rng& rng) {
  Features f;
  switch (model) {
    case Model::kOpenmp:
      f.spawn = 14, f.undeferred = 4, f.depend_percent = 40, f.wait = 7, f.wait_depend = 2, f.group = 7,
      f.parallel = 4;
      f.lock = 10, f.bind = 1, f.beside = 4;
      break;
    case Model::kThreads:
      f.thread = 14, f.join_thread = 9, f.detach_thread = 1, f.lock = 18, f.signal = 7, f.await = 8;
      break;
    case Model::kAsync:
      f.spawn = 18, f.group = 12, f.lock = 6;
      break;
    case Model::kMixed:
      f.spawn = 12, f.undeferred = 4, f.depend_percent = 30, f.wait = 6, f.wait_depend = 2, f.group = 6,
      f.parallel = 3;
      f.lock = 10, f.bind = 1, f.beside = 3, f.thread = 4, f.join_thread = 3, f.signal = 5, f.await = 6;
      f.leave_group_open_percent = 15;
      break;
    case Model::kLocks:  // threads and tasks that synchronise by critical sections only
      f.thread = 10, f.join_thread = 4, f.spawn = 5, f.wait = 2, f.lock = 45;
      f.write_percent = rng.percent(50) ? 45 : 12;
      break;
    case Model::kLockOrders:  // all that creates and orders tasks, and nested locks
      f.access = 2, f.new_memory = 0, f.lock = 70, f.lock_order = false;
      f.thread = 12, f.join_thread = 4, f.spawn = 6, f.undeferred = 2, f.wait = 2, f.group = 2,
      f.parallel = 3;
      f.beside = 1, f.signal = 4, f.await = 4, f.depend_percent = 20;
      for (u32* weight :
           {&f.spawn, &f.parallel, &f.signal, &f.group, &f.undeferred, &f.beside, &f.join_thread})
        if (rng.percent(35)) *weight = 0;
      return f;
  }
  if (model == Model::kLocks) return f;  // without locks it would be another model
  // Some programs leave features out entirely, so that rare combinations become frequent.
  for (u32* weight : {&f.lock, &f.depend_percent, &f.signal, &f.undeferred, &f.parallel, &f.wait, &f.group,
                      &f.bind, &f.new_memory, &f.beside})
    if (rng.percent(30)) *weight = 0;
  if (f.bind && rng.percent(25)) f.bind = 15;
  f.bound_memory = f.parallel && rng.percent(15);
  if (f.new_memory && rng.percent(25)) f.new_memory = 8;
  f.write_percent = rng.percent(50) ? 45 : 12;  // a rare write must find the one reader that matters
  if (model == Model::kAsync && rng.percent(70)) f.lock = 0;
  return f;
}

Shape shape_of(Rng& rng) {
  Shape shape;
  shape.steps = rng.percent(97) ? rng.between(4, 45) : rng.between(60, 160);
  shape.depth = rng.between(2, 5);
  shape.locations = rng.between(1, 2);
  shape.locks = rng.between(1, 3);
  shape.objects = rng.between(1, 3);
  shape.addresses = rng.between(1, 3);
  return shape;
}

Program generate(const Features& features, const Shape& shape, Rng& rng) {
  return Generator(features, shape, rng).run();
}

Program generate(Model model, Rng& rng) {
  Features features = features_of(model, rng);
  Shape shape = shape_of(rng);
  if (model == Model::kLockOrders) ++shape.locks;  // a single lock has no order
  return generate(features, shape, rng);
}

}  // namespace heddle::event
