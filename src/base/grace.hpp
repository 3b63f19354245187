// What other threads may still be looking at is freed after a *grace period*: when each thread that was in the runtime
// has left it once (user-space read-copy update: Desnoyers et al. 2012).
//
// A thread says when it enters and leaves the runtime, by plain stores to a line of its own. Whoever begins a grace
// period makes these visible by membarrier(2), so that the others need no fence. Where the kernel has no such call, no
// grace period ever ends, and nothing is freed.
//
// Thread safety: a Reader belongs to its thread; everything else may be called by anyone.
#pragma once

#include <atomic>

#include "base/types.hpp"
#include "base/vector.hpp"

namespace heddle::grace {

class Reader {
 public:
  // What is found from here on is there until the matching leave().
  HEDDLE_INLINE void enter() {
    state_.store(state_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  HEDDLE_INLINE void leave() {
    const u64 state = state_.load(std::memory_order_relaxed);
    const u64 left = (state & kDepth) == 1 ? kLeft : 0;
    state_.store(state - 1 + left, std::memory_order_release);
  }

 private:
  friend class Period;
  friend void add(Reader& reader);
  friend void remove(Reader& reader);
  static constexpr u64 kLeft = 1 << 16, kDepth = kLeft - 1;

  std::atomic<u64> state_{0};  // how often it has left << 16 | depth
  u64 number_ = 0;             // no other reader ever has it
  Reader* next_ = nullptr;
};

class Reading {
 public:
  explicit Reading(Reader& reader) : reader_(reader) { reader.enter(); }
  ~Reading() { reader_.leave(); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  Reader& reader_;
};

// By a thread at its start and end.
void add(Reader& reader);
void remove(Reader& reader);

class Period {
 public:
  // What nobody can find any more may be freed once this period is over.
  void begin();
  // False as long as a thread that was in the runtime then, the caller included, has not left it.
  bool over();

 private:
  struct Waited {
    u64 number, state;
  };
  Vector<Waited> waited_;
  bool never_ = false;
};

}  // namespace heddle::grace
