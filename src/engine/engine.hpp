// An engine is a function of a history: events go in, races and figures come out. One folder per engine; registry.cpp
// lists them.
//
// Engines find races by their own definitions (docs/engines.md). All report at least one race for each location that
// has one by that definition, and no pair that is none. A race is a pair of sites; the same pair at many addresses is
// one race with a count. Not thread-safe: one thread reads a history.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/atomicity/atomic_data.hpp"
#include "engine/core.hpp"
#include "engine/deadlock/cycle.hpp"
#include "engine/lower.hpp"
#include "engine/violation.hpp"
#include "event/event.hpp"
#include "history/channel/record.hpp"

namespace heddle::engine {

struct Race {
  Side first, second;  // in the order in which they were seen
  u64 address = 0;     // of the first location
  u64 locations = 1;   // how often this pair of sites was found
};

// Races by unordered pair of sites. Histories without sites (0) distinguish races by their address.
class RaceLog {
 public:
  // Bytes `address + i` for each bit i of `bytes`.
  void add(const Side& first, const Side& second, u64 address, u64 bytes);

  const std::vector<Race>& races() const { return races_; }
  bool empty() const { return races_.empty(); }
  // Called for each report before it is merged with others; for tests and the graph.
  std::function<void(const Side&, const Side&, u64 address, u64 bytes)> observer;

 private:
  struct Key {
    u64 sites, rest;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    usize operator()(const Key& key) const { return mix(key.sites * 31 + key.rest); }
  };
  std::vector<Race> races_;
  std::unordered_map<Key, usize, Hash> known_;
};

struct Counter {
  std::string_view name;
  u64 value;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual void add(const event::Event& event) = 0;
  // Accesses and new memory of one task, as records of a history: equal to adding them as events, and faster.
  virtual void memory(u32 task, std::span<const history::Record> records) = 0;
  // After the last event.
  virtual void finish() {}
  // True when the engine needs no more events (stop at the first race).
  virtual bool done() const { return false; }

  virtual std::vector<Counter> counters() const { return {}; }
  // Bytes of the engine's own state, by its own count.
  virtual usize memory_used() const = 0;

  // Engines look for one of these.
  RaceLog races;
  ViolationLog violations;
  std::vector<Deadlock> deadlocks;
};

// An engine on the core vocabulary. `Derived` is the engine's own class: accesses come in batches, and go from the
// batch to its touch() without a virtual call.
template <class Derived, class Base = Engine>
class CoreEngine : public Base, protected Sink {
 public:
  void add(const event::Event& event) override { lowering_.add(event); }
  void memory(u32 task, std::span<const history::Record> records) final {
    auto& self = static_cast<Derived&>(*this);
    TaskIndex index = lowering_.find_or_initial(task);
    for (const history::Record& record : records)
      if (HEDDLE_LIKELY(record.op == history::Op::kAccess))
        self.touch(index, lowering_.access_of(index, record));
      else
        lowering_.new_memory(index, record.address, record.a);
  }

 protected:
  CoreEngine() : lowering_(*this) {}
  // The history's number of it.
  u32 task_number(TaskIndex task) const { return lowering_.number_of(task); }
  TaskIndex index_of(u32 number) { return lowering_.find(number); }

 private:
  void access(TaskIndex task, const Access& access) final {
    static_cast<Derived&>(*this).touch(task, access);
  }

  Lowering lowering_;
};

// An engine with a separate class for the order, which gets the ordering events.
template <class Derived, class Order>
class OrderedEngine : public CoreEngine<Derived> {
 protected:
  template <class... Args>
  explicit OrderedEngine(Args... args) : order_(args...) {}

  void fork(TaskIndex task, TaskIndex child) override { order_.fork(task, child); }
  void begin(TaskIndex task, u32 thread) override { order_.begin(task, thread); }
  void end(TaskIndex task) override { order_.end(task); }
  void join(TaskIndex task, TaskIndex child) override { order_.join(task, child); }
  void signal(TaskIndex task, ObjectIndex object, bool replace) override {
    order_.signal(task, object, replace);
  }
  void await(TaskIndex task, ObjectIndex object) override { order_.await(task, object); }
  void forget(ObjectIndex object) override { order_.forget(object); }
  void acquire(TaskIndex task, u32 lock, bool write) override { order_.acquire(task, lock, write); }
  void release(TaskIndex task, u32 lock, bool write) override { order_.release(task, lock, write); }

  Order order_;
};

struct Options {
  bool first_race = false;   // stop there
  bool on_threads = false;   // fasttrack: the threads of the machine instead of tasks
  bool greedy = false;       // zipper: put the history into greedy order first; needs memory for all of it
  bool weak_order = false;   // zipper: critical sections without a conflict are not ordered
  bool exact = false;        // tlc: lists of windows instead of one
  AtomicRanges atomic = {};  // atomicity: what is meant to be atomic
};

struct EngineKind {
  std::string_view name, summary;
  std::unique_ptr<Engine> (*make)(const Options&);
  enum Finds : u8 { kRaces, kViolations, kDeadlocks } finds = kRaces;
};

// In the order in which they are listed and run.
const std::vector<EngineKind>& engines();
const EngineKind* find_engine(std::string_view name);

}  // namespace heddle::engine
