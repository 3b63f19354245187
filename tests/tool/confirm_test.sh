#!/bin/bash
# heddle confirm's exit codes and options, heddle meet, heddle replay --gdb. What it confirms is tested in
# tests/confirm.
source "$(dirname "$0")/lib.sh" "$1"

cat >bank.cpp <<'END'
#include <cstdio>
#include <mutex>
#include <thread>
std::mutex a, b;
long money = 100;
void withdraw(long amount) {
  long seen = money;
  money = seen - amount;
}
int main(int count, char**) {
  if (count > 1) {
    std::thread one([] {
      std::lock_guard first(a);
      std::lock_guard second(b);
    });
    std::thread two([] {
      std::lock_guard first(b);
      std::lock_guard second(a);
    });
    one.join();
    two.join();
    return 0;
  }
  std::thread one(withdraw, 10), two(withdraw, 20);
  one.join();
  two.join();
  std::printf("%ld\n", money);
}
END
cat >handed.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex m;
int value, ready, seen;
int main() {
  std::thread one([] {
    value = 1;
    std::lock_guard guard(m);
    ready = 1;
  });
  std::thread two([] {
    bool mine;
    {
      std::lock_guard guard(m);
      mine = ready;
    }
    if (mine) seen = value;
  });
  one.join();
  two.join();
}
END
check "bank.cpp is built" heddle c++ -std=c++20 -g -O1 bank.cpp -o bank
check "handed.cpp is built" heddle c++ -std=c++20 -g -O1 handed.cpp -o handed

# --- states, in each format, and exit codes ---------------------------------------------------------------------------

expect 66 'confirmed' heddle confirm --serial --report=bank.json ./bank
check "the JSON report counts what is confirmed" grep -q '"confirmed": [1-9]' bank.json
expect 66 'in the other order' heddle confirm --serial --finding=1 --tries=5 --minimise=0 --out=here ./bank
expect 66 'SUMMARY: heddle: 1 potential deadlock (./bank, exit code 0, 1 confirmed)' \
  heddle confirm --serial --check=deadlock --out=locks ./bank locks
expect 0 'refuted' heddle confirm --serial ./handed
expect 4 'undecided' heddle confirm --serial --refute-orders=0 --tries=3 ./handed
expect 66 'undecided' heddle confirm --serial --refute-orders=0 --tries=3 --fail-on=predicted ./handed
expect 0 'confirmed' heddle confirm --serial --fail-on=none ./bank

cat >stuck.cpp <<'END'
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
int main() {
  std::thread one([] {
    std::unique_lock guard(m);
    c.wait(guard);
  });
  one.join();
}
END
check "stuck.cpp is built" heddle c++ -std=c++20 -g -O1 stuck.cpp -o stuck
expect 66 'a deadlock' heddle confirm --serial ./stuck

# --- findings of another run ------------------------------------------------------------------------------------------

heddle run --serial --keep-log=bank.log ./bank >/dev/null 2>&1
expect 66 'confirmed' heddle confirm --findings=bank.log ./bank
expect 2 'cannot' heddle confirm --findings=nothing.log ./bank

# --- schedules --------------------------------------------------------------------------------------------------------

expect 66 'DATA RACE' heddle replay bug-1.schedule ./bank
expect 66 'DEADLOCK' heddle replay --check=deadlock locks/bug-1.schedule ./bank locks
# Both threads are before their accesses, and their stacks can be inspected.
export HEDDLE_GDB='gdb -q -batch -nx'
expect 0 'Breakpoint 1, heddle_bug_is_next' heddle replay --gdb bug-1.schedule ./bank
unset HEDDLE_GDB
HEDDLE_GDB=no-such-debugger expect 2 "there is no debugger 'no-such-debugger'" heddle replay --gdb bug-1.schedule ./bank

# --- programs that the verification runtime cannot run ----------------------------------------------------------------

cat >team.cpp <<'END'
#include <omp.h>

#include <cstdio>
long counter = 0;
omp_lock_t a, b;
[[gnu::noinline]] void add() {
  long seen = counter;
  counter = seen + 1;
}
[[gnu::noinline]] void forward() {
  omp_set_lock(&a);
  omp_set_lock(&b);
  omp_unset_lock(&b);
  omp_unset_lock(&a);
}
[[gnu::noinline]] void backward() {
  omp_set_lock(&b);
  omp_set_lock(&a);
  omp_unset_lock(&a);
  omp_unset_lock(&b);
}
int main(int count, char**) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    if (count == 1) add();
    if (count == 2 && omp_get_thread_num() == 0) forward();
    if (count == 2 && omp_get_thread_num() == 1) backward();
    if (count == 3) forward();
  }
  std::printf("%ld\n", counter);
}
END
HEDDLE_CXX=clang++-19 check "team.cpp is built by clang" heddle c++ -std=c++20 -g -O1 -fopenmp team.cpp -o team
expect 66 'prints "1" instead of "2": on its own runtime' heddle confirm ./team
expect 66 'deadlock: on its own runtime' heddle confirm --check=deadlock ./team locks
expect 0 '' heddle confirm --check=deadlock ./team in order
expect 66 'on its own runtime' heddle confirm --own-runtime ./bank
expect 66 'deadlock: on its own runtime' heddle confirm --own-runtime --check=deadlock ./bank locks

# --- two places at once -----------------------------------------------------------------------------------------------

expect 0 'they met' heddle meet bank.cpp:7 bank.cpp:8 ./bank
check "the schedule of the meeting is there" test -s bank.schedule
expect 66 'DATA RACE' heddle replay bank.schedule ./bank
expect 4 'they did not meet' heddle meet --tries=5 bank.cpp:8 bank.cpp:27 ./bank
expect 2 '' heddle meet bank.cpp:7 ./bank
expect 2 '' heddle meet bank.cpp:7 elsewhere.cpp:8 ./bank

finish
