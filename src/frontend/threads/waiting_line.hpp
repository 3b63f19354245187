// The threads that wait for the same condition variable, or the same word of memory, under the verification runtime.
//
// A wake-up of some of them may reach any thread that waits then. So a wake-up that is not for all is kept here until
// one of those takes it, and which one does is a choice of the schedule, as with a permit of a semaphore. If all
// waiting threads are woken there is no choice, and a wait is only a wait.
//
// Thread safety: guarded by the baton.
#pragma once

#include "base/hash_map.hpp"
#include "base/vector.hpp"
#include "control/control.hpp"

namespace heddle::threads {

class WaitingLine;

// On the stack of the waiting thread.
struct Waiter {
  WaitingLine* line = nullptr;  // null: it is not in the line any more
  u64 since = 0;
  bool woken = false;
  bool may_take = false;  // there was a wake-up that it could have taken
};

class WaitingLine {
 public:
  void join(Waiter& waiter) {
    waiter.line = this;
    waiter.since = ++now_;
    waiters_.push_back(&waiter);
  }

  // Wakes up to `count` waiting threads.
  void wake(u64 count) {
    ++now_;
    for (; count > 0 && offers_.size() < waiters_.size(); --count) offers_.push_back(now_);
    if (!wake_all_if_certain())
      for (Waiter* waiter : waiters_) waiter->may_take = true;
  }

  bool can_go_on(const Waiter& waiter) const {
    return waiter.woken || (!offers_.empty() && offers_[offers_.size() - 1] > waiter.since);
  }

  // It continues because it was woken: if there was a choice, it takes the oldest wake-up that it can; later ones are
  // for more threads.
  void take(Waiter& waiter) {
    if (waiter.line != this) return;
    remove(waiter);
    for (u32 i = 0; i < offers_.size(); ++i)
      if (offers_[i] > waiter.since) {
        erase(offers_, i);
        break;
      }
    waiter.woken = true;
    wake_all_if_certain();
  }
  // It continues for another reason. A wake-up that no thread is left for is lost.
  void leave(Waiter& waiter) {
    if (waiter.line != this) return;
    remove(waiter);
    for (u32 i = 0; i < offers_.size(); ++i) {
      u32 possible = 0;
      for (const Waiter* other : waiters_) possible += other->since < offers_[i];
      if (possible > i) continue;
      erase(offers_, i);
      break;
    }
    wake_all_if_certain();
  }
  bool empty() const { return waiters_.empty(); }
  // The threads that wait, and will not be woken whatever the others do.
  u64 count() const { return waiters_.size() - offers_.size(); }

  // For a Pending whose data is a Waiter.
  static bool is_woken(void* data) {
    const auto* waiter = static_cast<const Waiter*>(data);
    return !waiter->line ? waiter->woken : waiter->line->can_go_on(*waiter);
  }
  static void settle(control::Pending& pending) {
    pending.takes = static_cast<const Waiter*>(pending.data)->may_take;
  }

 private:
  template <class T>
  static void erase(Vector<T>& items, u32 at) {
    for (; at + 1 < items.size(); ++at) items[at] = items[at + 1];
    items.pop_back();
  }
  void remove(Waiter& waiter) {
    waiter.line = nullptr;
    for (u32 i = 0; i < waiters_.size(); ++i)
      if (waiters_[i] == &waiter) return erase(waiters_, i);
  }
  bool wake_all_if_certain() {
    if (offers_.size() < waiters_.size()) return false;
    for (Waiter* waiter : waiters_) {
      waiter->woken = true;
      waiter->line = nullptr;
    }
    waiters_.reset();
    offers_.reset();
    return true;
  }

  u64 now_ = 0;
  Vector<Waiter*> waiters_;  // in the order of arrival
  Vector<u64> offers_;       // the times of wake-ups, ascending: for a thread that waited then
};

// The lines of all objects that threads wait for, by address.
class WaitingLines {
 public:
  void join(uptr object, Waiter& waiter) {
    WaitingLine*& line = lines_[object];
    if (!line) line = memory::make<WaitingLine>();
    line->join(waiter);
  }
  void wake(uptr object, u64 count) {
    if (WaitingLine** line = lines_.find(object)) {
      (*line)->wake(count);
      drop_if_empty(object);
    }
  }
  void take(uptr object, Waiter& waiter) {
    if (waiter.line) waiter.line->take(waiter);
    drop_if_empty(object);
  }
  void leave(uptr object, Waiter& waiter) {
    if (waiter.line) waiter.line->leave(waiter);
    drop_if_empty(object);
  }
  u64 count(uptr object) {
    WaitingLine** line = lines_.find(object);
    return line ? (*line)->count() : 0;
  }

 private:
  void drop_if_empty(uptr object) {
    WaitingLine** line = lines_.find(object);
    if (!line || !(*line)->empty()) return;
    memory::destroy(*line);
    lines_.erase(object);
  }
  HashMap<WaitingLine*> lines_;
};

constexpr u64 kAllOfThem = ~u64{0};

}  // namespace heddle::threads
