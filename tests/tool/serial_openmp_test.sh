#!/bin/bash
# OpenMP under the verification runtime: what the runtime promises a program, that two runs are alike, and what is
# refused.
source "$(dirname "$0")/lib.sh" "$1"
export HEDDLE_CC=gcc HEDDLE_CXX=g++

# Without Heddle the program must find libgomp right, or it would prove nothing about ours.
g++ -std=gnu++20 -fopenmp -O1 "$here/openmp_conformance.cpp" -o native || fail "the program does not compile"
expect 0 "0 failures" env OMP_CANCELLATION=true ./native
for level in -O0 -O2; do
  check "builds with $level" heddle c++ -std=gnu++20 -fopenmp $level "$here/openmp_conformance.cpp" -o conformance
  for threads in 1 4 64; do
    expect 0 "0 failures" env OMP_CANCELLATION=true heddle run --serial --threads=$threads ./conformance
  done
done
expect 0 "no races or potential deadlocks found" env OMP_CANCELLATION=false heddle run --serial ./conformance

cat >racy.cpp <<'END'
#include <cstdio>
#include <omp.h>
int value, other;
int main() {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 40; ++i) value = i;
#pragma omp task
    other++;
#pragma omp single
    std::printf("single by %d\n", omp_get_thread_num());
  }
}
END
check "builds" heddle c++ -g -fopenmp racy.cpp -o racy
heddle run --serial --threads=7 ./racy >first 2>&1
grep -q "2 certain races" first || fail "both races are found"
for i in $(seq 20); do
  heddle run --serial --threads=7 ./racy >again 2>&1
  cmp -s first again || fail "run $i prints something else than the first"
done

# libomp ignores GCC's detach: the task would count as complete before its event, and what is right look like a race.
cat >detach.cpp <<'END'
#include <omp.h>
int first, second;
int main() {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : first)
    first = 1;
#pragma omp task firstprivate(event)
    {
      second = 1;
      omp_fulfill_event(event);
    }
#pragma omp task depend(in : first)
    second += first;
  }
  return second != 2;
}
END
check "builds" heddle c++ -fopenmp detach.cpp -o detach
expect 70 "compile it with clang, or use heddle run --serial" heddle run ./detach
for threads in 1 2 8; do
  expect 0 "no races or potential deadlocks found" heddle run --serial --threads=$threads ./detach
done

cat >levels.cpp <<'END'
#include <cstdio>
#include <omp.h>
int main() {
#pragma omp parallel
#pragma omp single
  {
    int outer = omp_get_num_threads();
#pragma omp parallel
#pragma omp single
    std::printf("%d of %d\n", omp_get_num_threads(), outer);
  }
}
END
check "builds" heddle c++ -fopenmp levels.cpp -o levels
expect 0 "2 of 3" env OMP_NUM_THREADS=3,2 heddle run --serial ./levels
expect 0 "1 of 5" env OMP_NUM_THREADS=3 heddle run --serial --threads=5 ./levels

cat >deadlock.cpp <<'END'
#include <omp.h>
int main() {
  omp_lock_t a, b;
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    bool first = omp_get_thread_num() == 0;
    omp_set_lock(first ? &a : &b);
#pragma omp barrier
    omp_set_lock(first ? &b : &a);
  }
}
END
check "builds" heddle c++ -g -fopenmp deadlock.cpp -o deadlock
heddle run --serial ./deadlock >output 2>&1
grep -q "sets a lock" output || { fail "a deadlock is reported"; cat output; }

cat >threads.cpp <<'END'
// Teams of threads that the program started itself, and a child process.
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <thread>
int sums[2];
void work(int i) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int k = 0; k < 10; ++k) sum += k;
  sums[i] = sum;
}
int main() {
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  if (fork() == 0) {
    work(0);
    _exit(sums[0] == 45 ? 0 : 1);
  }
  int status = -1;
  wait(&status);
  std::printf("%d %d %d\n", sums[0], sums[1], status);
}
END
check "builds" heddle c++ -fopenmp -pthread threads.cpp -o threads
expect 0 "45 45 0" heddle run --serial ./threads

if have clang++-19; then
  HEDDLE_CXX=clang++-19 check "builds" heddle c++ -fopenmp racy.cpp -o by_clang
  expect 2 "compiled by clang" heddle run --serial ./by_clang
fi
finish
