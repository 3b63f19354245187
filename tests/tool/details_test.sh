#!/bin/bash
# What a report says about the variable, the tasks and the locks: local variables and thread-local storage of
# whichever thread, where tasks and shares of work were created, names of critical constructs.
source "$(dirname "$0")/lib.sh" "$1"

cat >details.cpp <<'END'
#include <cstdio>
#include <string>
#include <thread>
struct Point { int x, y; };
thread_local int of_thread;
int* to_other;
int a, b, c;
[[gnu::noinline]] void use(Point& p) { p.y++; }
void own_stack() {
  Point point{1, 2};
  std::thread t([&] { point.y = 5; });
  use(point);
  t.join();
}
void other_stack() {
  int local = 0;
  std::thread t([&] { local = 5; }), u([&] { local = 6; });
  t.join();
  u.join();
}
void region_stack() {
  int counter = 0;
#pragma omp parallel num_threads(2)
  counter++;
  std::printf("%d\n", counter);
}
void storage() {
  to_other = &of_thread;
  std::thread t([] { *to_other = 3; });
  of_thread = 2;
  t.join();
}
void tasks() {
#pragma omp parallel num_threads(2)
#pragma omp single  // single
  {
#pragma omp task  // first task
    a++;
#pragma omp task  // second task
    a--;
  }
}
void taskloop() {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(4)  // taskloop
  for (int i = 0; i < 4; ++i) a++;
}
void chunks() {
#pragma omp parallel num_threads(2)
  {
    a = 0;
#pragma omp barrier
#pragma omp for schedule(dynamic)  // loop
    for (int i = 0; i < 10; ++i) b++;
  }
}
void criticals() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
#pragma omp critical(alpha)
    c++;
#pragma omp section
#pragma omp critical(beta)
    c--;
  }
}
int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "own_stack") own_stack();
  if (what == "other_stack") other_stack();
  if (what == "region_stack") region_stack();
  if (what == "storage") storage();
  if (what == "tasks") tasks();
  if (what == "taskloop") taskloop();
  if (what == "chunks") chunks();
  if (what == "criticals") criticals();
}
END
line_of() { grep -n "$1" details.cpp | head -1 | cut -d: -f1; }

compilers=g++
have clang-19 && compilers="$compilers clang++"
for cxx in $compilers; do
  for level in -O0 -O2; do
    check "build with $cxx $level" heddle-$cxx $level -g -fopenmp details.cpp -o details
    expect 66 '`point.y` (int), a local variable on the stack of thread 1' heddle run ./details own_stack
    expect 66 '`local` (int), a local variable on the stack of thread 1' heddle run ./details other_stack
    expect 66 'on the stack of thread 1' heddle run ./details region_stack
    expect 66 'thread-local storage of thread 1' heddle run ./details storage
    expect 66 "taskloop task" heddle run ./details taskloop
    # Which of the two comes first is the schedule's.
    expect 66 'they hold different locks: critical `' heddle run ./details criticals
    expect 66 'critical `alpha`' heddle run ./details criticals
    expect 66 'critical `beta`' heddle run ./details criticals
    expect 66 'section, created by task' heddle run ./details criticals
    [ $cxx$level = g++-O0 ] && continue  # there GCC gives constructs the line of whatever is around them
    expect 66 "details.cpp:$(line_of '// single')" heddle run ./details tasks
    expect 66 "details.cpp:$(line_of '// first task')" heddle run ./details tasks
    expect 66 "details.cpp:$(line_of '// second task')" heddle run ./details tasks
    expect 66 "parallel region in taskloop  details.cpp:$(line_of '// taskloop')" heddle run ./details taskloop
    expect 66 "parallel region in chunks  details.cpp:$(line_of '// loop')" heddle run ./details chunks
  done
done
expect 66 'stats: racing pairs of accesses = ' heddle run --stats ./details tasks
expect 66 'stats: peak memory KiB = ' heddle run --stats ./details tasks

# A lost update of an atomic variable: only the variable itself orders the two steps, whichever comes
# first.
cat >lost.cpp <<'END'
#include <atomic>
#include <heddle/annotate.hpp>
#include <thread>
std::atomic<int> hits, total, turn;
void add() {
  int before = hits.load();  // test
#ifdef GROUP
  total.store(before + 1);  // change
#else
  hits.store(before + 1);  // change
#endif
}
int main() {
#ifdef GROUP
  heddle::atomic_location(hits);
  heddle::atomic_location(total);
  heddle::atomic_group(hits, total);
#else
  heddle::atomic_location(hits);
#endif
#ifdef ORDERED
  std::thread first([] { add(), turn.store(1); }), second([] {
    while (!turn.load()) std::this_thread::yield();
    add();
  });
#else
  std::thread first(add), second(add);
#endif
  first.join(), second.join();
}
END
for cxx in $compilers; do
  check "build with $cxx" heddle-$cxx -g -std=c++20 lost.cpp -o lost
  check "build with $cxx" heddle-$cxx -g -std=c++20 -DGROUP lost.cpp -o lost_group
  check "build with $cxx" heddle-$cxx -g -std=c++20 -DORDERED lost.cpp -o ordered
  for i in 1 2 3 4 5; do
    expect 0 "ATOMICITY VIOLATION 1 (" heddle run --check=race,atomicity --predicted --fail-on=none ./lost
    expect 66 "one of \`hits\`, \`total\` (R-W-W)" heddle run --check=race,atomicity ./lost_group
    expect 0 "no races or atomicity violations found" heddle run --check=race,atomicity --predicted ./ordered
  done
done
finish
