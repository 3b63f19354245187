#!/bin/bash
# heddle run --serial around threads: deadlocks are reported, with what each thread waits for; time is virtual; and
# every run is like the last.
source "$(dirname "$0")/lib.sh" "$1"

cat >stall.cpp <<'END'
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

std::mutex left, right, third;
std::shared_mutex shared;
std::condition_variable wakes;
std::atomic<bool> flag{false};
std::atomic<int> never{0};
bool done = false;

static void two_locks() {
  std::lock_guard<std::mutex> first(left);
  std::thread other([] {
    std::lock_guard<std::mutex> second(right);
    std::lock_guard<std::mutex> first(left);
  });
  std::this_thread::yield();
  std::lock_guard<std::mutex> second(right);
  other.join();
}
static void three_locks() {
  std::mutex* locks[] = {&left, &right, &third};
  std::thread threads[3];
  for (int i = 0; i < 3; ++i)
    threads[i] = std::thread([&, i] {
      std::lock_guard<std::mutex> one(*locks[i]);
      std::this_thread::yield();
      std::lock_guard<std::mutex> two(*locks[(i + 1) % 3]);
    });
  for (std::thread& thread : threads) thread.join();
}
static void itself() {
  left.lock();
  left.lock();
}
static void upgrade() {
  shared.lock_shared();
  shared.lock();
}
// The notification comes before anybody waits, and nobody looks whether it is needed.
static void lost_wakeup() {
  std::thread notifies([] { wakes.notify_one(); });
  notifies.join();
  std::unique_lock<std::mutex> lock(left);
  wakes.wait(lock);
}
static void ended_with_lock() {
  std::thread([] { left.lock(); }).join();
  left.lock();
}
static void join_each_other() {
  static pthread_t first, second;
  auto joins = [](void* other) -> void* {
    std::this_thread::yield();
    pthread_join(*static_cast<pthread_t*>(other), nullptr);
    return nullptr;
  };
  pthread_create(&first, nullptr, joins, &second);
  pthread_create(&second, nullptr, joins, &first);
  pthread_exit(nullptr);
}
static void barrier() {
  static pthread_barrier_t of_three;
  pthread_barrier_init(&of_three, nullptr, 3);
  std::thread one([] { pthread_barrier_wait(&of_three); });
  pthread_barrier_wait(&of_three);
}
static void future() { never.wait(0); }
static void livelock() {
  std::thread other([] {
    while (!flag.load()) {
    }
  });
  while (!flag.load()) std::this_thread::yield();
  other.join();
}
// Somebody else goes on forever.
static void circle() {
  std::thread([] {
    for (;;) usleep(1000);
  }).detach();
  two_locks();
}
static int hour() {
  std::thread sleeps([] { sleep(3600); });
  std::unique_lock<std::mutex> lock(left);
  bool woken = wakes.wait_for(lock, std::chrono::hours(1), [] { return done; });
  sleeps.join();
  return woken;
}
static int pure(int value) {
  std::mutex m;
  std::thread others[4];
  for (std::thread& other : others)
    other = std::thread([&] {
      for (int i = 0; i < 1000; ++i) {
        std::lock_guard<std::mutex> guard(m);
        value += i;
      }
    });
  for (std::thread& other : others) other.join();
  return value == 4 * 499500 ? 0 : 1;
}

int main(int, char** argv) {
  std::string how = argv[1];
  if (how == "two-locks") two_locks();
  if (how == "three-locks") three_locks();
  if (how == "itself") itself();
  if (how == "upgrade") upgrade();
  if (how == "lost-wakeup") lost_wakeup();
  if (how == "ended-with-lock") ended_with_lock();
  if (how == "join-each-other") join_each_other();
  if (how == "barrier") barrier();
  if (how == "future") future();
  if (how == "livelock") livelock();
  if (how == "circle") circle();
  if (how == "hour") return hour();
  return pure(0);
}
END
check "build" heddle c++ -std=c++20 -O1 -pthread stall.cpp -o stall
serial="timeout $hang heddle run --serial"
expect 66 'initial thread, acquires a lock: mutex `right`, which actor 0.0 holds; holding mutex `left`' $serial ./stall two-locks
expect 66 'thread, acquires a lock: mutex `left`, which actor 0 holds; holding mutex `right`' $serial ./stall two-locks
expect 66 "two_locks  stall.cpp:" $serial ./stall two-locks
expect 66 "SUMMARY: heddle: 1 deadlock that happened (./stall, exit code 124)" $serial ./stall two-locks
# The user asked for no exit code of ours: that of a program that was ended.
expect 124 "1 deadlock that happened" $serial --fail-on=none ./stall two-locks
expect 124 "1 deadlock that happened" $serial --exit-code=0 ./stall two-locks
expect 5 "1 deadlock that happened" $serial --exit-code=5 ./stall two-locks
expect 66 "rerun     heddle run --serial ./stall two-locks" $serial ./stall two-locks
expect 66 "DEADLOCK: 4 threads are blocked forever" $serial ./stall three-locks
expect 66 "waits for a lock that it holds itself" $serial ./stall itself
expect 66 "waits for a lock that it holds itself" $serial ./stall upgrade
expect 66 "waits for a condition variable" $serial ./stall lost-wakeup
expect 66 'acquires a lock: mutex `left`' $serial ./stall ended-with-lock
expect 66 "joins a thread" $serial ./stall join-each-other
expect 66 "waits at a barrier" $serial ./stall barrier
expect 66 "waits for an atomic variable to change" $serial ./stall future
expect 66 "LIVELOCK: 2 threads" $serial ./stall livelock
expect 66 'which actor 0.1 holds; holding mutex `left`' $serial ./stall circle
expect 66 '"kind": "deadlock"' bash -c "$serial --report=report.json ./stall two-locks; code=\$?; cat report.json; exit \$code"

# Time is virtual: an hour passes when all threads wait.
expect 0 "no races or potential deadlocks found" timeout $hang heddle run --serial ./stall hour
expect 0 "no races or potential deadlocks found" $serial ./stall pure

# A race by polling plain memory: no thread may wait forever.
cat >spin.c <<'END'
#include <pthread.h>
volatile int flag;
int value;
static void* body(void* unused) {
  value = 1;
  flag = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  while (!flag) {
  }
  int seen = value;
  pthread_join(thread, 0);
  return seen != 1;
}
END
check "build spin" heddle cc -O1 -pthread spin.c -o spin
expect 66 "certain race" $serial ./spin

# Every run is like the last: text and JSON, byte for byte.
cat >races.cpp <<'END'
#include <mutex>
#include <thread>
#include <vector>
int racy[8];
int* heap;
std::mutex m;
int main() {
  heap = new int[10];
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      racy[i % 3]++;
      {
        std::lock_guard<std::mutex> guard(m);
        heap[i % 5] = i;
      }
      int here = 0;
      std::thread inner([&here] { here++; });
      here++;
      inner.join();
      racy[7] += heap[2] + here;
    });
  for (std::thread& thread : threads) thread.join();
  delete[] heap;
}
END
check "build races" heddle c++ -std=c++20 -O1 -pthread races.cpp -o races
for run in 1 2 3 4 5 6 7 8 9 10; do
  heddle run --serial --predicted --report=report.$run.json ./races 2>text.$run
  cmp -s text.1 text.$run || fail "run $run prints another report"
  cmp -s report.1.json report.$run.json || fail "run $run writes another JSON report"
done
grep -q "certain races" text.1 && echo "ok: ten runs, one report" || fail "no races in $(cat text.1)"

# Who waits by acquiring a lock again and again lets the others go on.
cat >polled_sections.cpp <<'END'
#include <mutex>
#include <shared_mutex>
#include <thread>
std::mutex m;
std::shared_mutex shared;
bool ready = false, seen = false;
int data = 0;
int main() {
  std::thread waits([] {
    for (;;) {
      std::lock_guard guard(m);
      if (ready) break;
    }
    ++data;
    std::unique_lock guard(shared);
    seen = true;
  });
  std::thread reads([] {
    for (;;) {
      std::shared_lock guard(shared);
      if (seen) break;
    }
  });
  std::thread tells([] {
    data = 1;
    std::lock_guard guard(m);
    ready = true;
  });
  waits.join();
  reads.join();
  tells.join();
}
END
check "build polled_sections" heddle c++ -std=c++20 -O1 -pthread polled_sections.cpp -o polled_sections
for run in 1 2 3; do
  timeout "$hang" heddle run --serial --predicted ./polled_sections 2>text.$run || fail "polled_sections: $?"
  cmp -s text.1 text.$run || fail "run $run of polled_sections prints another report"
done
[ "$failures" -ne 0 ] || echo "ok: critical sections that are polled"

finish
