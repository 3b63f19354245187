#!/bin/bash
# Annotations in ways that tests/atomicity does not use: expect_atomic<T> as a type, what ends an annotation, and a
# violation that is predicted before it is certain.
source "$(dirname "$0")/lib.sh" "$1"

# Two threads read under one hold of the lock and write under the next: no race, but not atomic.
cat >parts.hpp <<'END'
#include <mutex>
#include <thread>
std::mutex m;
template <class T>
void add_in_two_parts(T& x) {
  long old;
  {
    std::lock_guard<std::mutex> guard(m);
    old = x;
  }
  std::lock_guard<std::mutex> guard(m);
  x = old + 1;
}
template <class T>
void add_twice(T& x) {
  std::thread first([&] { add_in_two_parts(x); }), second([&] { add_in_two_parts(x); });
  first.join();
  second.join();
}
END
cat >type.cpp <<'END'
#include <heddle/annotate.hpp>
#include "parts.hpp"
heddle::expect_atomic<long> by_class = 0;
HEDDLE_EXPECT_ATOMIC(long) by_macro = 0;
int main(int argc, char**) { argc > 1 ? add_twice(by_class) : add_twice(by_macro); }
END
cat >ends.cpp <<'END'
#include <heddle/annotate.hpp>
#include <string>
#include "parts.hpp"
int main(int, char** argv) {
  const std::string how = argv[1];
  long x = 0;
  HEDDLE_ATOMIC_LOCATION(x);
  if (how == "macro") HEDDLE_NOT_ATOMIC(x);
  if (how == "function") heddle::not_atomic(x);
  add_twice(x);
  HEDDLE_NOT_ATOMIC(x);
}
END
# Ordered by a hand-over under a lock first, then by nothing, at the same lines: it is certain.
cat >certain.cpp <<'END'
#include <heddle/annotate.hpp>
#include <atomic>
#include <mutex>
#include <thread>
std::mutex m;
bool handed_over = false;
std::atomic<int> step = 0;
heddle::expect_atomic<long> x = 0, y = 0;
[[gnu::noinline]] void set(heddle::expect_atomic<long>& to) { to = 7; }
[[gnu::noinline]] void add(heddle::expect_atomic<long>& to) {
  long old = to;
  to = old + 1;
}
int main() {
  std::thread setter([] {
    set(x);
    set(y);
    std::lock_guard<std::mutex> guard(m);
    handed_over = true;
  });
  std::thread behind_it([] {
    for (bool mine = false; !mine; std::this_thread::yield()) {
      std::lock_guard<std::mutex> guard(m);
      mine = handed_over;
    }
    add(x);
    step.store(1, std::memory_order_relaxed);
  });
  std::thread beside_it([] {
    while (step.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    add(y);
  });
  setter.join();
  behind_it.join();
  beside_it.join();
}
END
# Pairs of many tasks, of which one or all are parallel to a write without the lock, or none.
cat >siblings.cpp <<'END'
#include <heddle/annotate.hpp>
#include <mutex>
#include <string>
std::mutex m;
long balance = 0, entries = 0;
void add() {
  std::lock_guard<std::mutex> guard(m);
  balance += 1;
  entries += 1;
}
int main(int, char** argv) {
  const std::string parallel = argv[1];
  heddle::atomic_group(balance, entries);
  char d = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
    if (parallel == "one") {
#pragma omp task
      add();
    }
    for (int i = 0; i < 100; ++i) {
      if (parallel == "all") {
#pragma omp task
        add();
      } else {
#pragma omp task depend(in : d)
        add();
      }
    }
#pragma omp task depend(out : d)
    balance = 0;
  }
}
END
for program in type ends certain siblings; do
  check "build $program" heddle c++ -std=c++20 -O1 -g -pthread -fopenmp $program.cpp -o $program
  check "build $program without Heddle" c++ -std=c++20 -O1 -pthread -I"$heddle_bin/../include" $program.cpp -o plain_$program
done
run="timeout $hang heddle run --check=atomicity"
expect 66 "ATOMICITY VIOLATION" $run ./type
expect 66 "ATOMICITY VIOLATION" $run ./type by-class
expect 66 "ATOMICITY VIOLATION" $run ./ends never
expect 0 "no atomicity violations found" $run ./ends macro
expect 0 "no atomicity violations found" $run ./ends function
expect 66 "ATOMICITY VIOLATION 1 (certain)" $run ./certain
expect 66 "ATOMICITY VIOLATION" $run ./siblings all
expect 66 "1 predicted atomicity violation" $run --fail-on=predicted ./siblings one
expect 0 "no atomicity violations found" $run ./siblings none
finish
