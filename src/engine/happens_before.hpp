// Happens-before by vector clocks, for any number of tasks: which epochs happen before a task's current point?
//
// A clock has one entry per *chain*, not per task. A chain is a sequence of tasks each of which started after the end
// of the one before, so that "known up to time t" is one number for all of them. When a task is joined its chain
// becomes free; a later fork may reuse a free chain if the forking task knows all of it. So clocks grow with the
// unordered tasks, not with all that ever ran.
//
//   Example: main forks a (chain 1), joins it, forks b. main knows chain 1 up to a's last time, so b reuses chain 1.
//
// A task's time ticks at each release operation (fork, signal, release): an epoch lies between two of them. Whether
// lock hand-over is part of the order is a constructor argument.
//
// Cost: O(1) per fork; joins and hand-overs visit the difference of two clocks (order/clocks/clock.hpp).
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/core.hpp"
#include "order/clocks/clock.hpp"

namespace heddle::engine {

// chain:32 | time:32. Times start at 1, so 0 is no epoch.
using Epoch = u64;
constexpr u32 chain_of(Epoch epoch) { return static_cast<u32>(epoch >> 32); }
constexpr u32 time_of(Epoch epoch) { return static_cast<u32>(epoch); }
// Chains count from 0 here, and from 1 in clocks.
constexpr u32 in_clock(u32 chain) { return chain + 1; }

class HappensBefore {
 public:
  explicit HappensBefore(bool with_locks = true);

  void fork(TaskIndex task, TaskIndex child);
  void begin(TaskIndex task, u32 thread) {}
  void end(TaskIndex task) {}
  // A task that happens after nothing.
  void start(TaskIndex task);
  void join(TaskIndex task, TaskIndex child);
  void signal(TaskIndex task, ObjectIndex object, bool replace);
  void forget(ObjectIndex object);
  void release(TaskIndex task, u32 lock, bool write);

  // These return whether the task's clock grew: if not, its strands before and after have the same clock.
  bool await(TaskIndex task, ObjectIndex object);
  bool acquire(TaskIndex task, u32 lock, bool write);
  // Would the await or acquisition grow the task's clock? For engines that must finish something first.
  bool would_await(TaskIndex task, ObjectIndex object) const;
  bool would_acquire(TaskIndex task, u32 lock, bool write) const;

  Epoch now(TaskIndex task) const { return tasks_[task].now; }
  // REQUIRES: the epoch is of this history, and not of the future.
  bool before(Epoch epoch, TaskIndex task) const {
    const Task& t = tasks_[task];
    if (chain_of(epoch) == chain_of(t.now)) return true;
    return time_of(epoch) <= known(t, chain_of(epoch));
  }
  // Starts a new epoch of the task, for engines that split strands further than the order does.
  void tick(TaskIndex task);

  // The current task of the chain.
  TaskIndex holder(u32 chain) const { return holders_[chain]; }
  // The last time of the chain so far.
  u32 last_time(u32 chain) const {
    return holders_[chain] == kNobody ? last_[chain] : time_of(tasks_[holders_[chain]].now);
  }
  u32 chains() const { return static_cast<u32>(holders_.size()); }

  void acquire_clock(TaskIndex task, const order::Clock& clock);
  // The task's clock, its own epoch included; the caller ticks.
  order::Clock snapshot(TaskIndex task);

 private:
  static constexpr u32 kNobody = ~u32{0};
  // A queue that is also a stack, and needs no memory while it is empty.
  struct FreeChains {
    std::vector<u32> chains;
    usize head = 0;

    bool empty() const { return head == chains.size(); }
    u32 newest() const { return chains.back(); }
    u32 oldest() const { return chains[head]; }
    void push(u32 chain) { chains.push_back(chain); }
    void pop_newest() { chains.pop_back(); }
    void pop_oldest();
    void clear() {
      chains.clear();
      head = 0;
    }
  };
  struct Task {
    Epoch now = 0;
    order::Clock known;  // of other chains; of its own at its last release
    // Recent results of the clock, by chain: valid until the clock changes.
    static constexpr u32 kCached = 8;
    mutable u64 cache[kCached] = {};  // chain+1 : 32 | time : 32
    TaskIndex parent = kNobody;
    u32 generation = 0, parent_generation = 0;
    FreeChains free;  // chains of tasks that were forked here, and joined
  };
  struct Lock {
    order::Clock by_writers, by_readers;
  };

  static u32 known(const Task& task, u32 chain) {
    u64& cached = task.cache[chain % Task::kCached];
    if (HEDDLE_LIKELY(static_cast<u32>(cached >> 32) == chain + 1)) return static_cast<u32>(cached);
    u32 time = task.known.get(in_clock(chain));
    cached = u64{chain + 1} << 32 | time;
    return time;
  }
  Task& task(TaskIndex index);
  void changed(Task& task) {
    for (u64& entry : task.cache) entry = 0;
  }
  bool acquire_clock(Task& task, const order::Clock& clock);
  const order::Clock& publish(Task& task);
  u32 take_chain(TaskIndex parent);
  bool usable(u32 chain, const Task& by) const;

  bool with_locks_;
  std::vector<Task> tasks_;
  std::vector<TaskIndex> holders_;  // by chain
  std::vector<u32> last_;           // by chain: the last time of its last task
  std::vector<order::Clock> objects_;
  std::unordered_map<u32, Lock> locks_;
};

}  // namespace heddle::engine
