#!/bin/bash
# Programs that use names of the C library for things of their own: what is linked into them must not take those for
# the library's.
source "$(dirname "$0")/lib.sh" "$1"

# None that the C library itself, or the code that compilers make, calls by its name in every program (malloc, memcpy,
# ...).
names="stat fstat lstat open openat read write close mmap munmap mremap madvise mincore time clock signal sigaction index y1 log access
  kill wait waitpid waitid select poll send recv socket connect pipe dup dup2 fork clone getpid getppid getpgrp getenv environ isatty
  readlink sched_yield syscall sleep usleep nanosleep atexit at_quick_exit abort strlen strcmp strncmp strchr strtol strtoull atoi snprintf printf puts setvbuf
  sigaddset sigemptyset sigfillset sigpending sigaltstack sigandset prctl futex tgkill gettid yield error link truncate accept bind
  listen remove rename basename optarg optind program_invocation_name clock_gettime gettimeofday ioctl fcntl lseek
  length find starts_with fill only environment read_number system_call"

work() {
  cat <<'END'
/* No header: those declare the names. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t*, const void*, void* (*)(void*), void*);
int pthread_join(pthread_t, void**);
int shared_value;
static void* work(void* argument) {
  shared_value += use_names();
  return argument;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, 0);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
END
}

# name DECLARATION EXPRESSION: a program in which each name is declared so.
program() {
  local sum=0
  for name in $names; do
    # shellcheck disable=SC2059
    printf "$1\n" "$name" "$name"
    # shellcheck disable=SC2059
    sum="$sum + $(printf "$2" "$name")"
  done
  echo "static int use_names(void) { return $sum; }"
  work
}
program 'int %s = 1; int used_%s;' '%s' >variables.c
program 'int %s(int x) { return x; } int used_%s;' '%s(1)' >functions.c
program 'static int %s(int x) { return x; } int used_%s;' '%s(1)' >static_functions.c
program 'static volatile int %s = 1; int used_%s;' '%s' >static_variables.c

for compiler in gcc clang-19; do
  have $compiler || continue
  for kind in variables functions static_functions static_variables; do
    check "$compiler builds $kind.c by itself" $compiler -w -fno-builtin -pthread $kind.c -o plain
    check "it runs" ./plain
    check "$compiler builds $kind.c" env HEDDLE_CC=$compiler heddle cc -w -fno-builtin -g -pthread $kind.c -o $kind
    expect 66 "1 certain race" heddle run ./$kind
    expect 66 "1 certain race" heddle run --serial ./$kind
    expect 66 "a data race" heddle prove ./$kind
    expect 0 "" heddle record --output=$kind.history ./$kind
    check "$compiler builds $kind.c with the shared library" env HEDDLE_CC=$compiler heddle cc --heddle-shared -w -fno-builtin -g -pthread $kind.c -o $kind
    expect 66 "1 certain race" heddle run ./$kind
  done
done

# Programs that can be built without OpenMP often have functions for that case.
cat >stubs.c <<'END'
#include <pthread.h>
int omp_get_thread_num(void) { return 0; }
int omp_get_num_threads(void) { return 1; }
void omp_init_lock(void** lock) { *lock = 0; }
void omp_set_lock(void** lock) { *lock = lock; }
int omp_test_lock(void** lock) { return *lock == 0; }
void omp_unset_lock(void** lock) { *lock = 0; }
void omp_set_nest_lock(void** lock) { *lock = lock; }
int shared_value;
static void* work(void* argument) {
  shared_value += omp_get_thread_num() + omp_get_num_threads();
  return argument;
}
int main(void) {
  pthread_t thread;
  void* lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  pthread_create(&thread, 0, work, 0);
  shared_value = 2;
  pthread_join(thread, 0);
  return 0;
}
END
for compiler in gcc clang-19; do
  have $compiler || continue
  check "$compiler builds stubs.c" env HEDDLE_CC=$compiler heddle cc -g -pthread stubs.c -o stubs
  expect 66 "1 certain race" heddle run ./stubs
done

finish
