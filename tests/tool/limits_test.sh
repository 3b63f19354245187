#!/bin/bash
# Large numbers: threads, races, frames, tasks, regions. Each must work, quickly, and without memory that grows out of
# proportion.
source "$(dirname "$0")/lib.sh" "$1"

cat >threads.cpp <<'END'
// 2,000 threads alive at once.
#include <semaphore.h>
#include <cstdio>
#include <thread>
#include <vector>
constexpr int kThreads = 2000;
int values[kThreads], racy;
sem_t arrived, go;
int main(int argc, char**) {
  sem_init(&arrived, 0, 0);
  sem_init(&go, 0, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([=] {
      values[i] = i;
      if (argc > 1 && i % 1000 == 7) racy++;
      sem_post(&arrived);
      sem_wait(&go);
    });
  for (int i = 0; i < kThreads; ++i) sem_wait(&arrived);
  for (int i = 0; i < kThreads; ++i) sem_post(&go);
  for (auto& thread : threads) thread.join();
  long sum = 0;
  for (int value : values) sum += value;
  std::printf("%ld\n", sum);
}
END
cat >team.cpp <<'END'
#include <cstdio>
int values[500], racy;
int main(int argc, char**) {
#pragma omp parallel num_threads(500)
  {
#pragma omp for
    for (int i = 0; i < 500; ++i) values[i] = i;
    if (argc > 1) racy = 1;
#pragma omp critical
    values[0]++;
  }
  std::printf("%d\n", values[0]);
}
END
cat >million.cpp <<'END'
// A million racing accesses at one place; with an argument, thousands of distinct pairs.
#include <thread>
#include <utility>
constexpr int kPlaces = 2000;
int data[1000000], at[kPlaces];
template <int I>
void touch() {
  at[I]++;
}
template <int... I>
void touch_all(std::integer_sequence<int, I...>) {
  void (*const all[])() = {touch<I>...};
  for (auto each : all) each();
}
int main(int argc, char**) {
  auto f = [=] {
    if (argc > 1) return touch_all(std::make_integer_sequence<int, kPlaces>());
    for (int& each : data) each++;
  };
  std::thread a(f), b(f);
  a.join();
  b.join();
}
END
cat >deep.cpp <<'END'
#include <pthread.h>
#include <cstdio>
int racy;
[[gnu::noinline]] int down(int n) {
  if (n == 0) return racy++, 0;
  return down(n - 1) + 1;
}
void* go(void*) {
  std::printf("%d\n", down(100000));
  return nullptr;
}
int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_t threads[2];
  for (auto& thread : threads) pthread_create(&thread, &attributes, go, nullptr);
  for (auto& thread : threads) pthread_join(thread, nullptr);
}
END
cat >growth.cpp <<'END'
// N times one construct.
#include <cstdio>
#include <cstdlib>
#include <string>
int a[4], lock_count;
long sum;
void nest(int depth) {
  if (depth == 0) return;
#pragma omp task
  nest(depth - 1);
#pragma omp taskwait
  sum++;
}
int main(int, char** argv) {
  std::string what = argv[1];
  int n = atoi(argv[2]);
  if (what == "regions")
    for (int i = 0; i < n; ++i) {
#pragma omp parallel for num_threads(2)
      for (int k = 0; k < 4; ++k) a[k]++;
    }
  if (what == "nested")
    for (int i = 0; i < n; ++i) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
#pragma omp critical
      lock_count++;
    }
  if (what == "deep") {
#pragma omp parallel num_threads(2)
#pragma omp single
    nest(n);
  }
#pragma omp parallel num_threads(2)
  for (int i = 0; i < n; ++i) {
    if (what == "barriers") {
#pragma omp for
      for (int k = 0; k < 4; ++k) a[k]++;
    }
    if (what == "criticals") {
#pragma omp critical
      lock_count++;
    }
    if (what == "singles") {
#pragma omp single
      a[0]++;
    }
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < n; ++i) {
    if (what == "tasks" || what == "racing_tasks") {
#pragma omp task
      {
        if (what == "racing_tasks") a[0] = 1;
#pragma omp atomic
        sum++;
      }
    }
    if (what == "taskwaits") {
#pragma omp task
      a[0]++;
#pragma omp taskwait
    }
    if (what == "taskgroups") {
#pragma omp taskgroup
#pragma omp task
      a[0]++;
    }
    if (what == "taskloops") {
#pragma omp taskloop num_tasks(2)
      for (int k = 0; k < 4; ++k) a[k]++;
    }
  }
  std::printf("%ld\n", sum);
}
END
for program in threads team million deep growth; do
  check "build $program" heddle c++ -g1 -O1 -fopenmp $program.cpp -o $program
done

expect 0 "1999000" timeout $hang heddle run ./threads
expect 66 "1 certain race" timeout $hang heddle run ./threads racy
expect 0 "no races or potential deadlocks found" timeout $hang heddle run ./team
expect 66 "1 certain race" timeout $hang heddle run ./team racy
expect 66 "1 certain race" timeout $hang heddle run ./million
expect 66 "2000 certain races" timeout $hang heddle run ./million places
expect 66 "1 certain race" timeout $hang heddle run ./deep
expect 0 "1000000" timeout $hang heddle run ./growth tasks 1000000
expect 66 "1 certain race" timeout $hang heddle run ./growth racing_tasks 100000
expect 0 "5000" timeout $hang heddle run ./growth deep 5000

# How much more memory 50,000 of a construct take than 1,000 of it. A task that shadow memory may still name is kept
# (some 100 bytes for each thread and barrier); what libomp itself keeps is in here too. Today it is at most 600 bytes
# each; twice that fails.
peak() { timeout $hang heddle run --stats ./growth "$1" "$2" 2>&1 | sed -n 's/^stats: peak memory KiB = //p'; }
for what in regions nested barriers criticals singles taskwaits taskgroups taskloops; do
  few=$(peak $what 1000) many=$(peak $what 50000)
  check "memory for 50000 $what: ${few:-?} KiB -> ${many:-?} KiB" test "$many" -lt $((few + 60000))
done

# --- many locks held at once: dependencies of locks do not grow with the square of their number -----------------

cat >held.cpp <<'END'
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
// Each thread holds half of the locks, and then wants one of the other's.
void cross(std::vector<std::mutex>& locks) {
  const std::size_t half = locks.size() / 2;
  std::atomic<int> ready{0};
  auto hold_half = [&](std::size_t first, std::size_t other) {
    for (std::size_t i = first; i < first + half; ++i) locks[i].lock();
    for (++ready; ready < 2;) std::this_thread::yield();
    locks[other].lock();
  };
  std::thread thread(hold_half, half, 0);
  hold_half(0, half);
  thread.join();
}
int main(int count, char** arguments) {
  std::vector<std::mutex> locks(std::atoi(arguments[1]));
  if (count > 2) cross(locks);
  auto hold_all = [&] {
    for (std::mutex& lock : locks) lock.lock();
    for (std::mutex& lock : locks) lock.unlock();
  };
  std::thread other(hold_all);
  hold_all();
  other.join();
}
END
check "build" heddle c++ -std=c++20 -O1 -pthread held.cpp -o held
expect 0 "no races or potential deadlocks found" timeout $hang heddle run ./held 256
expect 0 "no races or potential deadlocks in what was analysed" timeout $hang heddle run ./held 1000
expect 0 "not analysed: deadlocks with locks that a task acquires while it holds more than 256" heddle run ./held 258
heddle run --stats ./held 1000 >output 2>&1
dependencies=$(sed -n 's/^stats: lock dependencies = //p' output)
[ "$dependencies" -le 512 ] || fail "$dependencies lock dependencies of locks that are acquired in one order"
expect 66 "SUMMARY: heddle: 1 deadlock that happened" timeout $hang heddle run --halt-on-deadlock ./held 1000 cross
finish
