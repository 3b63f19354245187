#!/bin/bash
# Programs that hang by themselves: they are ended, what was found is reported, and the stack of each thread. Time
# limits are kept.
source "$(dirname "$0")/lib.sh" "$1"

cat >self.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex mutex;
int shared;
void inner() {
  std::lock_guard guard(mutex);
  ++shared;
}
void outer() {
  std::lock_guard guard(mutex);
  inner();
}
int main() {
  std::thread one([] { ++shared; }), two([] { ++shared; });
  one.join();
  two.join();
  std::thread thread(outer);
  thread.join();
}
END
cat >missed.cpp <<'END'
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex mutex;
std::condition_variable condition;
int shared;
void wait_for_it() {
  std::unique_lock lock(mutex);
  condition.wait(lock);
}
int main() {
  std::thread one([] { ++shared; }), two([] { ++shared; });
  one.join();
  two.join();
  condition.notify_one();
  std::thread waiter(wait_for_it);
  waiter.join();
}
END
cat >runs.cpp <<'END'
#include <thread>
int shared;
volatile bool over;
void spin() {
  while (!over) {
  }
}
int main(int count, char**) {
  if (count > 1) {
    std::thread one([] { ++shared; }), two([] { ++shared; });
    one.join();
    two.join();
  }
  std::thread thread(spin);
  thread.join();
}
END
cat >recursive.cpp <<'END'
#include <mutex>
std::recursive_mutex mutex;
int main() {
  std::lock_guard first(mutex), second(mutex);
}
END
cat >slow.cpp <<'END'
#include <chrono>
#include <mutex>
#include <thread>
std::mutex mutex;
int main() {
  std::unique_lock lock(mutex);
  std::thread waits([] { std::lock_guard guard(mutex); });
  std::this_thread::sleep_for(std::chrono::seconds(3));
  lock.unlock();
  waits.join();
}
END
cat >signalled.cpp <<'END'
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
sem_t semaphore;
int main() {
  sem_init(&semaphore, 0, 0);
  signal(SIGALRM, [](int) { sem_post(&semaphore); });
  alarm(3);
  while (sem_wait(&semaphore) != 0) {
  }
}
END
cat >interrupted.cpp <<'END'
#include <semaphore.h>
#include <signal.h>
sem_t semaphore;
int main() {
  sem_init(&semaphore, 0, 0);
  signal(SIGTERM, [](int) { sem_post(&semaphore); });
  while (sem_wait(&semaphore) != 0) {
  }
}
END
cat >other_process.cpp <<'END'
// Waits for a permit that another process gives, later.
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
int main() {
  auto* permit = static_cast<sem_t*>(mmap(nullptr, sizeof(sem_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(permit, 1, 0);
  if (fork() == 0) {
    sleep(4);
    sem_post(permit);
    _exit(0);
  }
  while (sem_wait(permit) != 0) {
  }
}
END
for program in self missed runs recursive slow signalled interrupted other_process; do
  heddle c++ -std=c++20 -g -O1 $program.cpp -o $program || fail "$program does not compile"
done

# --- what hangs forever --------------------------------------------------------------------------------------------

expect 66 "SELF-DEADLOCK: a thread waits for a lock that it holds itself" heddle run --hang-after=1 ./self
grep -q "waits for a lock that it holds itself: mutex" output || fail "it is not said which lock"
grep -q "inner.*self.cpp:6" output || fail "it is not said where the thread waits"
grep -q "DATA RACE 1 (certain)" output || fail "what was found before is lost"
expect 66 "HANG: 2 threads wait, and no thread is left to wake them" heddle run --hang-after=1 ./missed
grep -q "wait_for_it.*missed.cpp:9" output || fail "it is not said where the thread waits"
grep -q "main.*missed.cpp:17" output || fail "it is not said where the initial thread waits"
grep -q "DATA RACE 1 (certain)" output || fail "what was found before is lost"
expect 124 "HANG" heddle run --hang-after=1 --fail-on=none ./missed
expect 66 "SELF-DEADLOCK" heddle run --hang-after=0 --timeout=3 ./self
expect 66 "TIMEOUT" heddle run --hang-after=0 --timeout=3 ./missed # for the race

# --- what does not --------------------------------------------------------------------------------------------------

expect 0 "no races or potential deadlocks found" heddle run --hang-after=1 ./recursive
expect 0 "no races" heddle run --hang-after=1 ./other_process
expect 0 "no races or potential deadlocks found" heddle run --hang-after=1 ./slow
expect 0 "no races or potential deadlocks found" heddle run --hang-after=1 ./signalled
heddle run --hang-after=1 ./interrupted >output 2>&1 &
sleep 4
kill -TERM $!
wait $!
[ $? -eq 0 ] && ! grep -q HANG output || fail "a program that waits for a signal is taken for one that hangs"
expect 124 "TIMEOUT: the program was stopped; the state of its 2 threads" heddle run --timeout=2 ./runs
grep -q "spin.*runs.cpp:5" output || fail "it is not said where the thread runs"
expect 66 "DATA RACE 1 (certain)" heddle run --timeout=2 ./runs again

# --- heddle confirm uses the findings so far -----------------------------------------------------------------------

expect 66 "confirmed" heddle confirm --hang-after=1 --tries=20 --timeout=120 ./missed
expect 66 "confirmed" heddle confirm --hang-after=1 --tries=20 --timeout=120 ./self
heddle confirm --timeout=5 --step-timeout=1 --tries=2 ./runs again >output 2>&1
code=$?
[ $code -eq 66 ] || [ $code -eq 4 ] || fail "confirm of what does not end exits with $code"
grep -q "the first run reached its time limit" output && grep -q "DATA RACE 1" output || fail "confirm does not go on after its first run"

finish
