// heddle/async.hpp on oneTBB: a finish is a task_group, an async a task in it; idle workers steal.
//
// Waiting must not hold up the pool. A worker that waits for a finish meanwhile runs tasks of that finish and no others
// (this_task_arena::isolate): each of them must end before the wait can, so it does no harm that they lie on top of
// it on the stack. A task that waits for a future or a region gives its stack away (task::suspend) and is resumed,
// perhaps on another thread, when it can continue: if the worker ran something else on top of it instead, that might in
// turn wait for the task below. So any program whose tasks do not wait for each other in a circle ends, with one
// worker as with many.
#pragma once

#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "heddle/detail/task.hpp"

namespace heddle {
inline namespace on_tbb {
namespace detail {

using Kind = TaskKind;

// After a wait, a task may continue on another thread. So the address of what is thread-local must not be kept over a
// wait, as a compiler would that sees into this function.
[[gnu::noinline]] inline void*& current_word() {
  thread_local void* word = nullptr;
  asm volatile("" ::: "memory");
  return word;
}
inline void* current() { return current_word(); }
inline void set_current(void* task) { current_word() = task; }

// Somebody who waits for the first of several completions. Resumed once: when one has fired and all have been looked
// at.
class Waiter {
 public:
  explicit Waiter(tbb::task::suspend_point point) : point_(point) {}
  void fire() {
    if (!fired_.exchange(true)) arrive();
  }
  void registered() { arrive(); }

 private:
  void arrive() {
    if (missing_.fetch_sub(1) == 1) tbb::task::resume(point_);
  }
  tbb::task::suspend_point point_;
  std::atomic<bool> fired_{false};
  std::atomic<int> missing_{2};
};

// Has a task ended? For waits by name. Also the reference count of its result.
class Completion {
 public:
  Completion(void* data, void (*drop)(void*)) : data_(data), drop_(drop) {}

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  // Dropping the last one frees the data.
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    drop_(data_);
    delete this;
  }

  bool ended() const { return ended_.load(std::memory_order_acquire); }
  void end() {
    std::vector<std::shared_ptr<Waiter>> waiters;
    {
      std::lock_guard hold(mutex_);
      ended_.store(true, std::memory_order_release);
      waiters.swap(waiters_);
    }
    for (const auto& waiter : waiters) waiter->fire();
  }
  void add(const std::shared_ptr<Waiter>& waiter) {
    {
      std::lock_guard hold(mutex_);
      if (!ended()) {
        waiters_.push_back(waiter);
        return;
      }
    }
    waiter->fire();
  }

 private:
  void* data_;
  void (*drop_)(void*);
  std::atomic<int> references_{2};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::vector<std::shared_ptr<Waiter>> waiters_;
};

// REQUIRES: count > 0.
inline std::size_t wait_for_one(Completion* const* completions, std::size_t count) {
  for (;;) {
    for (std::size_t i = 0; i < count; ++i)
      if (completions[i]->ended()) return i;
    tbb::task::suspend([&](tbb::task::suspend_point point) {
      auto waiter = std::make_shared<Waiter>(point);
      for (std::size_t i = 0; i < count; ++i) completions[i]->add(waiter);
      waiter->registered();
    });
  }
}
inline void wait_for_all(Completion* const* completions, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) wait_for_one(completions + i, 1);
}

class Finish {
 public:
  template <class Body>
  void run(Body body) {
    tbb::this_task_arena::isolate([&] {
      body();
      group_.wait();
    });
  }
  template <class Body>
  void add(Body body) {
    group_.run(std::move(body));
  }
  void spawn(Kind, void (*body)(void*), void* data) {
    group_.run([=] { body(data); });
  }
  void fail(std::exception_ptr exception) {
    std::lock_guard hold(mutex_);
    failures_.push_back(std::move(exception));
  }
  std::vector<std::exception_ptr> failures() { return std::move(failures_); }

 private:
  tbb::task_group group_;
  std::mutex mutex_;
  std::vector<std::exception_ptr> failures_;
};

// Tasks posted outside of any finish are in a group that only their regions wait for.
inline tbb::task_group& group_of_nobody() {
  static auto* group = new tbb::task_group;
  return *group;
}

inline Completion* spawn_named(Finish* finish, Kind, void (*run)(void*), void* data, TaskDrop drop) {
  auto* completion = new Completion(data, drop.run);
  auto task = [=] {
    run(data);
    completion->end();
    completion->release();
  };
  if (finish)
    finish->add(task);
  else
    group_of_nobody().run(task);
  return completion;
}

// A section on objects takes part in `all` as a reader, one that excludes all others as a writer. Objects share
// mutexes by their addresses: now and then two sections exclude each other that need not. Mutexes are taken in the
// order of the table.
class Isolation {
 public:
  void enter(const void* const* objects, std::size_t count) {
    if (count == 0) return all_.lock();
    all_.lock_shared();
    for (std::size_t mutex : mutexes_of(objects, count)) mutexes_[mutex].lock();
  }
  void leave(const void* const* objects, std::size_t count) {
    if (count == 0) return all_.unlock();
    for (std::size_t mutex : mutexes_of(objects, count)) mutexes_[mutex].unlock();
    all_.unlock_shared();
  }

 private:
  static constexpr std::size_t kMutexes = 1024;  // of 40 bytes; many more than there are cores
  static std::vector<std::size_t> mutexes_of(const void* const* objects, std::size_t count) {
    std::vector<std::size_t> mutexes;
    for (std::size_t i = 0; i < count; ++i)
      mutexes.push_back((reinterpret_cast<std::uintptr_t>(objects[i]) * 0x9e3779b97f4a7c15u >> 48) %
                        kMutexes);
    std::sort(mutexes.begin(), mutexes.end());
    mutexes.erase(std::unique(mutexes.begin(), mutexes.end()), mutexes.end());
    return mutexes;
  }
  std::shared_mutex all_;
  std::array<std::mutex, kMutexes> mutexes_;
};

inline Isolation& isolation() {
  static auto* isolation = new Isolation;
  return *isolation;
}
inline void enter_isolated(const void* const* objects, std::size_t count) {
  isolation().enter(objects, count);
}
inline void leave_isolated(const void* const* objects, std::size_t count) {
  isolation().leave(objects, count);
}

}  // namespace detail
}  // namespace on_tbb
}  // namespace heddle
