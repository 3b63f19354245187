// The vocabulary in which the programs of the thesis are written (Habanero: async, finish, isolated, forall, future),
// on OpenMP: a task, a taskgroup, one critical section for the whole program, a task per stretch of iterations, a
// task with a dependence.
//
// A task is part of the innermost finish around it, its descendants too. All isolated bodies exclude each other,
// whatever they touch. Everything runs inside root(), which is the first task.
#pragma once

#include <algorithm>
#include <memory>

#include "../bench.h"

namespace af {

template <class Body>
void root(const Body& body) {
#pragma omp parallel
#pragma omp single
  body();
}

template <class Body>
void finish(const Body& body) {
#pragma omp taskgroup
  body();
}

template <class Body>
void async(Body body) {
#pragma omp task firstprivate(body)
  body();
}

template <class Body>
void isolated(const Body& body) {
#pragma omp critical(isolated)
  body();
}

// begin <= i < end in at most `tasks` tasks of neighbouring iterations, and waits for them.
template <class Body>
void forall(long begin, long end, long tasks, Body body) {
  const long n = end - begin;
  const long pieces = std::min(tasks, n);
  finish([=] {
    for (long t = 0; t < pieces; ++t) {
      const long from = begin + n * t / pieces, to = begin + n * (t + 1) / pieces;
      async([=] {
        for (long i = from; i < to; ++i) {
          body(i);
          // No access leaves its iteration, so that the history is that of the source, whatever the compiler knows of
          // loops.
          asm volatile("" ::: "memory");
        }
      });
    }
  });
}

// A task and its value. Only the task that made it may get(), since a dependence holds between siblings; it must do
// so before the future goes.
template <class Value>
class Future {
 public:
  template <class Body>
  explicit Future(Body body) : state_(std::make_unique<State>()) {
    State* state = state_.get();
#pragma omp task firstprivate(body, state) depend(out : state->token)
    state->value = body();
  }

  Value get() const {
    State* state = state_.get();
#pragma omp taskwait depend(in : state->token)
    return state->value;
  }

 private:
  struct State {
    Value value{};
    char token = 0;
  };
  std::unique_ptr<State> state_;
};

}  // namespace af
