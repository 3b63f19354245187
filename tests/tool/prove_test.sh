#!/bin/bash
# heddle prove where it does not come to its end: bounds, interruption, going on, several ranks; and what is wrong
# with what it is given.
source "$(dirname "$0")/lib.sh" "$1"

# --- programs -------------------------------------------------------------------------------------------------------

cat >counter.cpp <<'END'
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
std::mutex mutex;
int counter;
int main(int, char** words) {
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(words[1]); ++i)
    threads.emplace_back([] {
      std::lock_guard guard(mutex);
      ++counter;
    });
  for (auto& thread : threads) thread.join();
}
END
cat >race.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex mutex;
int first, x;
int main() {
  auto work = [](int who) {
    bool late;
    {
      std::lock_guard guard(mutex);
      late = first != 0;
      first = first ? first : who;
    }
    if (late && who == 1) x = 1;
    if (!late && who == 2) x = 2;
  };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
}
END
cat >endless.cpp <<'END'
#include <fcntl.h>
#include <unistd.h>
#include <mutex>
#include <thread>
std::mutex mutex;
int x;
int main() {
  std::thread one([] {
    std::lock_guard guard(mutex);
    if (x == 0) return;
    close(open("endless.begun", O_CREAT | O_WRONLY, 0600));
    for (volatile int i = 0; i == 0;) {
    }
  });
  std::thread two([] {
    std::lock_guard guard(mutex);
    x = 1;
  });
  one.join();
  two.join();
}
END
cat >spins.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> never{0};
int main() {
  std::thread one([] {
    while (!never.load()) {
    }
  });
  one.join();
}
END
cat >never_parts.cpp <<'END'
int main() {
  for (volatile int i = 0; i == 0;) {
  }
}
END
cat >crashes.cpp <<'END'
int main() {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}
END
for program in counter race endless spins never_parts crashes; do
  heddle c++ -std=c++20 -g -O1 $program.cpp -o $program || fail "$program does not compile"
done

# counts FILE: what must be the same, however an exploration came to its end.
counts() { sed 's/.*"verdict":"\([a-z]*\)".*"executions":\([0-9]*\).*"steps":\([0-9]*\),"deepest":\([0-9]*\).*/\1 \2 \3 \4/' "$1"; }
same_counts() {
  [ "$(counts whole.json)" = "$(counts "$1")" ] && echo "ok: $2" || fail "$2: $(counts "$1") instead of $(counts whole.json)"
}

# --- in parts -------------------------------------------------------------------------------------------------------

expect 0 "24 orders explored, 24 classes" heddle prove --jobs=1 --summary=whole.json ./counter 4
expect 0 "the certificate holds: 24 of 24 orders" heddle check-certificate counter.certificate ./counter 4
rm counter.certificate
expect 4 "and at most 17 if every order acquires and does atomically what those explored did" heddle prove --jobs=1 --max-orders=7 ./counter 4
[ -e counter.certificate ] && fail "half a proof has a certificate"
expect 4 "to continue: heddle prove --resume ./counter 4" heddle prove --jobs=1 --resume --max-orders=7 ./counter 4
expect 0 "24 orders explored, 24 classes" heddle prove --jobs=1 --resume --summary=parts.json ./counter 4
same_counts parts.json "a proof in three parts"
expect 0 "the certificate holds: 24 of 24 orders" heddle check-certificate counter.certificate ./counter 4
expect 0 "24 orders explored, 24 classes" heddle prove --jobs=1 --resume ./counter 4
expect 0 "the certificate holds: 24 of 24 orders" heddle check-certificate counter.certificate ./counter 4

# --- time, and Ctrl-C, inside of an execution -----------------------------------------------------------------------

expect 4 "undecided: 1 order explored" heddle prove --jobs=1 --timeout=10 --step-timeout=600 ./endless
grep -q "^node leaf" endless.frontier || fail "what was under way at the timeout is not in the frontier"
expect 4 "undecided: 1 order explored" heddle prove --jobs=1 --resume --timeout=10 --step-timeout=600 ./endless
rm -f endless.frontier endless.begun
heddle prove --jobs=1 ./endless >output 2>&1 &
await endless.begun
kill -INT $!
wait $!
[ $? -eq 4 ] && grep -q "^node leaf" endless.frontier && echo "ok: Ctrl-C" || fail "Ctrl-C in the middle of an execution leaves no frontier"
expect 2 "it was stopped before the program did anything in parallel" heddle prove --timeout=1 ./never_parts
# A tool of another version must not find that nothing happened.
truncate -s 1G board
expect 70 "built with another version of Heddle" bash -c 'HEDDLE_BOARD_FD=9 ./counter 2 9<>board'
rm board

# --- what does not end ----------------------------------------------------------------------------------------------

expect 4 "made no scheduling step for 1 seconds" heddle prove --step-timeout=1 ./endless
grep -q "0.0 runs, since step [0-9]* (acquire); 0.1 is after step" output || fail "it is not said where each thread is"
grep -q "^0.0  *acquire" endless.schedule || fail "there is no schedule of what does not end"
expect 4 "all threads spin without progress; 0 joins a thread; 0.0 operates on an atomic variable" heddle prove ./spins
expect 66 "crashes: killed by Segmentation fault" heddle prove ./crashes

# --- what does not fit ----------------------------------------------------------------------------------------------

expect 66 "a data race; its schedule is race.schedule" heddle prove ./race
expect 66 "DATA RACE" heddle replay race.schedule ./race
sed 's/^end$//' race.schedule >cut.schedule
expect 65 "line" heddle replay cut.schedule ./race
expect 2 "cannot read" heddle replay missing.schedule ./race
sed 's/acquire/wait/' race.schedule >wrong.schedule
heddle replay wrong.schedule ./race >output 2>&1
grep -q "step [0-9]* is to be made by" output || fail "a replay that leaves its schedule does not say where"
expect 0 "certificate: counter.certificate" heddle prove ./counter 3
expect 0 "the certificate holds: 6 of 6 orders" heddle check-certificate counter.certificate ./counter 3
expect 1 "another input" heddle check-certificate counter.certificate ./counter 4
heddle prove --certificate=other --max-orders=3 ./counter 4 >output 2>&1
sed -i 's/++counter/counter += 2/' counter.cpp
heddle c++ -std=c++20 -g -O1 counter.cpp -o counter
expect 1 "another program (the file has changed since)" heddle check-certificate counter.certificate ./counter 3
expect 2 "the frontier is that of" heddle prove --resume ./counter 4
echo "something else" >counter.frontier
expect 65 "counter.frontier" heddle prove --resume ./counter 4

# --- several ranks --------------------------------------------------------------------------------------------------

ranks() { mpirun --oversubscribe --allow-run-as-root -n 3 heddle prove "$@"; }
rm -f counter.frontier
expect 0 "24 orders explored, 24 classes" ranks --summary=ranks.json ./counter 4
heddle prove --jobs=1 --summary=whole.json ./counter 4 >output 2>&1
same_counts ranks.json "a proof by three ranks"
expect 0 "the certificate holds: 24 of 24 orders" heddle check-certificate counter.certificate ./counter 4
expect 4 "to continue: heddle prove --resume ./counter 4" ranks --max-orders=10 ./counter 4
expect 0 "24 orders explored, 24 classes" ranks --resume --summary=ranks.json ./counter 4
expect 0 "the certificate holds: 24 of 24 orders" heddle check-certificate counter.certificate ./counter 4
same_counts ranks.json "a proof by three ranks in two parts"
expect 66 "DATA RACE" ranks ./race
expect 66 "crashes: killed by Segmentation fault" ranks ./crashes
expect 4 "undecided: 1 order explored" ranks --timeout=20 --step-timeout=600 ./endless

# --- nothing in parallel, and no end --------------------------------------------------------------------------------

echo '#include <mutex>
std::mutex mutex;
int main() { mutex.lock(); mutex.lock(); }' >alone.cpp
check "alone.cpp is built" heddle c++ -g alone.cpp -o alone
expect 66 "waits for ever" heddle prove ./alone

# --- cancellation: which tasks have begun at that time ------------------------------------------------------------

cat >cancel.cpp <<'END'
#include <atomic>
#include <cassert>
int main() {
  std::atomic<int> ran{0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(ran)
    ran = 1;
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
  }
  assert(ran == 1);
}
END
HEDDLE_CXX=g++ check "cancel.cpp is built" heddle c++ -g -fopenmp cancel.cpp -o cancel
expect 0 "race-free" heddle prove --threads=2 ./cancel
OMP_CANCELLATION=true expect 66 "a crash" heddle prove --threads=2 ./cancel

# --- OpenMP code that was compiled by clang: no verdict, neither of the program nor of what a library of it does ----

if have clang++-19; then
  cat >team.cpp <<'END'
int x;
void work() {
#pragma omp parallel num_threads(2)
  ++x;
}
#ifndef LIBRARY
int main() { work(); }
#endif
END
  echo 'void work(); int main() { work(); }' >calls.cpp
  HEDDLE_CXX=clang++-19 check "builds" heddle c++ -fopenmp team.cpp -o by_clang
  expect 2 "compiled by clang" heddle prove ./by_clang
  cp output said
  check "no verdict" sh -c "! grep race-free said"
  HEDDLE_CXX=clang++-19 check "builds" heddle c++ -DLIBRARY -fopenmp -shared -fPIC team.cpp -o libteam.so
  HEDDLE_CXX=g++ check "builds" heddle c++ calls.cpp -L. -lteam -fopenmp -Wl,-rpath,. -o calls
  expect 2 "was compiled by clang" heddle prove ./calls
fi
finish
