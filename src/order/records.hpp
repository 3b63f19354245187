// The records of tasks, by their ids; and which of them may be used again.
//
// A task that has ended and left nothing behind shall cost no memory. Its record may be needed as long as something
// names it: its accesses in the shadow, its descendants, whoever made it (until Structure::let_go). So from time to
// time records are collected, by mark and sweep, while the program goes on:
//
//  1. begin(): what has been let go by now is a candidate. It has ended, so nothing will name it that does not now.
//  2. The caller looks through all that is kept of accesses and calls name() for each task and scope that it finds.
//  3. finish(): whoever is no candidate, or was named, keeps its ancestors and its scopes.
//  4. When all threads that were in the runtime have left it (base/grace.hpp): free().
//
// A scope that its owner is done with is freed in the same way, once no task and no scope is left that names it.
//
// A record's next task counts its strands on from those of the last one: so (id, index) names one strand for ever, and
// marks of the old strands do not fit the new ones. What is known of an id is true until reuses() changes.
//
// Thread safety: take() and find() may be called by anyone at any time, the rest by one thread at a time.
#pragma once

#include "base/spin_lock.hpp"
#include "order/dpst/task.hpp"

namespace heddle::order {

class Records {
 public:
  Records();

  // Room for a task; `first` is its first strand.
  struct Fresh {
    Task* record;
    TaskId id;
    Index first;
  };
  Fresh take();
  // Once the record is complete.
  static void set_id(Task& task, TaskId id) { __atomic_store_n(&task.id, id, __ATOMIC_RELEASE); }

  Task* find(TaskId id) const { return blocks_[id / kBlock].load(std::memory_order_acquire) + id % kBlock; }
  // That there ever were.
  u64 tasks() const {
    return next_.load(std::memory_order_relaxed) - 1 + used_again_.load(std::memory_order_relaxed);
  }

  // From now on they may be collected.
  void start_collecting() { collect_at_.store(kLeast, std::memory_order_relaxed); }
  // Are there so many that it is worth it?
  bool due() const {
    return HEDDLE_UNLIKELY(next_.load(std::memory_order_relaxed) >=
                           collect_at_.load(std::memory_order_relaxed)) &&
           !unused_count_.load(std::memory_order_relaxed);
  }
  void begin();
  void name(TaskId id) {
    if (id < limit_) set(named_, id);
  }
  void name(Scope& scope);
  void finish();
  // `work`: how many things the caller has looked at to find the names. The next collection comes when there is half as
  // much to do for new tasks.
  void free(usize work);
  // How often records have become free.
  u32 reuses() const { return reuses_.load(std::memory_order_acquire); }

 private:
  static constexpr u32 kBlock =
      4096;  // tasks are made in blocks, so that an id finds its record in two loads
  static constexpr u32 kBlocks = 1u << 19;
  static constexpr u32 kLeast = 4096;
  // Strands are numbered up to here, and then there is a new record.
  static constexpr Index kLastFirst = 1u << 30;

  static void set(u64* bits, TaskId id) { bits[id / 64] |= u64{1} << (id % 64); }
  static bool test(const u64* bits, TaskId id) { return bits[id / 64] >> (id % 64) & 1; }
  usize bits_size() const { return (limit_ / 64 + 1) * sizeof(u64); }
  // Null: there is none now. One that is being made names only scopes that are not done.
  Task* task(TaskId id) const {
    Task* block = blocks_[id / kBlock].load(std::memory_order_acquire);
    if (!block) return nullptr;  // it is about to be made
    Task* record = block + id % kBlock;
    return __atomic_load_n(&record->id, __ATOMIC_ACQUIRE) ? record : nullptr;
  }
  bool stays(TaskId id) const { return !test(candidates_, id) || test(named_, id); }
  static void destroy(Scope* scope);
  void free_scopes(Task& owner);

  std::atomic<Task*>* blocks_;
  std::atomic<u32> next_{1};
  SpinLock block_lock_;

  SpinLock unused_lock_;
  Vector<TaskId> unused_;
  std::atomic<u32> unused_count_{0};
  std::atomic<u64> used_again_{0};
  std::atomic<u32> reuses_{0};

  std::atomic<u32> collect_at_{~u32{0}};
  u32 collection_ = 0;  // its number
  TaskId limit_ = 0;    // of the ids that it looks at
  u64* candidates_ = nullptr;
  u64* named_ = nullptr;
};

}  // namespace heddle::order
