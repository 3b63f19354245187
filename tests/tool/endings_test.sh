#!/bin/bash
# However a program ends, and whatever it does to its descriptors and processes: a clear message, a non-zero exit, and
# every race that was found before is reported. With real programs, built with Heddle.
source "$(dirname "$0")/lib.sh" "$1"

cat >ends.cpp <<'END'
// Finds a race, then ends as told, inside a parallel region.
#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <string>
int racy;
volatile int* nowhere = nullptr;
int recurse(int n) {
  volatile char room[4096];
  room[0] = static_cast<char>(n);
  return recurse(n + 1) + room[0];
}
__attribute__((noinline)) void fill(double* to, long count) {
  for (long i = 0; i < count; ++i) to[i] = 1;
}
void ready() { close(open("ready", O_CREAT | O_WRONLY, 0600)); }
int main(int, char** argv) {
  std::string how = argv[1];
#pragma omp parallel num_threads(2)
  {
    racy++;
#pragma omp barrier
#pragma omp single
    {
      if (how == "segv") *nowhere = 1;
      if (how == "beyond") fill(static_cast<double*>(malloc(800)), 1L << 40);
      if (how == "abort") abort();
      if (how == "_exit") _exit(3);
      if (how == "exit") exit(3);
      if (how == "quick_exit") quick_exit(3);
      if (how == "throw") throw 1;
      if (how == "overflow") recurse(0);
      if (how == "kill") raise(SIGKILL);
      if (how == "wait") {
        ready();
        for (;;) pause();
      }
      if (how == "spin") {
        ready();
        for (volatile int i = 0;; i = i + 1) free(malloc(100));
      }
    }
  }
}
END
check "build" heddle c++ -O1 -fopenmp ends.cpp -o ends
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 11)" timeout $hang heddle run ./ends segv
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 6)" timeout $hang heddle run ./ends abort
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 6)" timeout $hang heddle run ./ends throw
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 11)" timeout $hang heddle run ./ends overflow
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 11)" timeout $hang heddle run ./ends beyond
expect 66 "1 certain race, 0 predicted (./ends, killed by signal 9)" timeout $hang heddle run ./ends kill
for how in _exit exit quick_exit; do
  expect 66 "1 certain race, 0 predicted (./ends, exit code 3)" timeout $hang heddle run ./ends $how
done
expect 3 "1 certain race" timeout $hang heddle run --fail-on=none ./ends _exit

# kill_run TARGET SIGNAL HOW: sends the signal to the tool or to the program.
kill_run() {
  rm -f ready
  # A background job of a script ignores SIGINT, and what is ignored is not passed on: start with the default.
  env --default-signal=INT heddle run ./ends "$3" 2>killed.txt &
  local tool=$! target code
  await ready
  target=$tool
  [ "$1" = program ] && target=$(pgrep -P $tool)
  kill -"$2" "$target"
  wait $tool
  code=$?
  check "SIG$2 to the $1 ($3): exit code" test $code -eq 66
  check "SIG$2 to the $1 ($3): report" grep -q '1 certain race, 0 predicted (./ends, killed by signal' killed.txt
}
for signal in TERM INT; do
  kill_run tool $signal wait
  kill_run program $signal spin
done

# --- memory -------------------------------------------------------------------------------------------------
cat >hello.cpp <<'END'
#include <cstdio>
int n;
int main() {
#pragma omp parallel num_threads(4)
#pragma omp critical
  n++;
  std::printf("hello %d\n", n);
}
END
cat >eats.cpp <<'END'
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
int racy;
std::atomic<int> flags[1 << 23];
int main(int argc, char**) {
  std::thread a([] { racy++; }), b([] { racy++; });
  a.join();
  b.join();
  if (argc == 1)  // what the analysis keeps is much more than what the program has
    for (auto& flag : flags) flag.store(1, std::memory_order_release);
  // Large blocks: when the last one is refused there is room left for the analysis.
  while (void* p = malloc(1 << 24)) *static_cast<char*>(p) = 1;
  std::printf("malloc failed\n");
  return 5;
}
END
check "build" heddle c++ -O1 -fopenmp hello.cpp -o hello
check "build" heddle c++ -O1 eats.cpp -o eats
expect 0 "hello 4" bash -c "ulimit -v 300000; timeout $hang heddle run ./hello"
for limit in 200000 400000; do
  expect 66 "out of memory: the kernel gives no more for the analysis" \
    bash -c "ulimit -v $limit; timeout $hang heddle run ./eats"
  expect 66 "1 certain race" bash -c "ulimit -v $limit; timeout $hang heddle run ./eats"
  expect 66 "malloc failed" bash -c "ulimit -v $limit; timeout $hang heddle run ./eats itself"
done
limited="ulimit -v 1000000; timeout $hang heddle run --memory-limit-mb=100"
expect 66 "more memory than the option memory-limit-mb allows" bash -c "$limited ./eats"
expect 70 "more memory than the option memory-limit-mb allows" bash -c "$limited --fail-on=none ./eats"

# --- what cannot be checked ---------------------------------------------------------------------------------
sed 's/libomp\.so\.5/libomq.so.5/' hello >lost && chmod +x lost
expect 2 "libomp.so.5, LLVM's OpenMP runtime: apt install" heddle run ./lost
printf 'int main() {}\n' >plain.c
check "build" gcc plain.c -o plain
expect 2 "was not built with Heddle" heddle run ./plain

# --- descriptors and processes ------------------------------------------------------------------------------
cat >processes.cpp <<'END'
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
int racy;
void race() {
  std::thread a([] { racy++; }), b([] { racy++; });
  a.join();
  b.join();
}
void close_all_but_standard() { syscall(SYS_close_range, 3, ~0u, 0); }
void reuse_numbers() {
  int victim = open("victim", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
  for (int i = 3; i < 300; ++i)
    if (i != victim) dup2(victim, i);
}
int main(int, char** argv) {
  std::string how = argv[1];
  auto again = [&] { execl("/proc/self/exe", argv[0], "race", nullptr); };
  if (how == "close")
    for (int i = 3; i < 1024; ++i) close(i);
  if (how == "close_range") close_range(3, ~0u, 0);
  if (how == "closed_unseen") close_all_but_standard();
  if (how == "reused_unseen") {
    close_all_but_standard();
    reuse_numbers();
  }
  if (how == "exec_closed") {
    close_all_but_standard();
    again();
  }
  if (how == "exec_reused") {
    close_all_but_standard();
    reuse_numbers();
    again();
  }
  if (how == "exec") {
    race();
    again();
  }
  if (how == "exec_fails") {
    execl("/etc/passwd", "passwd", nullptr);
    execlp("there-is-no-such-program", "x", nullptr);
  }
  if (how == "fork") {
    race();
    if (fork() == 0) {
      race();
      exit(0);
    }
    wait(nullptr);
    return 0;
  }
  if (how == "fork_exec") {
    if (fork() == 0) again();
    wait(nullptr);
    return 0;
  }
  if (how == "daemon") {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    if (fork()) {
      close(ends[1]);
      char byte;
      return read(ends[0], &byte, 1) == 1;  // until the daemon has ended
    }
    setsid();
    if (fork()) _exit(0);
    for (int i = 0; i < 300; ++i)
      if (i != ends[1]) close(i);
    again();
  }
  if (how == "two") {
    std::string me = argv[0], both = me + " race & " + me + " race; wait";
    return system(both.c_str());
  }
  race();
}
END
check "build" heddle c++ -O1 processes.cpp -o processes
for how in race close close_range closed_unseen reused_unseen exec_closed exec_reused exec exec_fails fork fork_exec daemon two; do
  rm -f victim
  expect 66 "1 certain race, 0 predicted" timeout $hang heddle run ./processes $how
  [ -s victim ] && fail "$how: the log went to a file of the program"
done
printf 'import os, sys\nos.closerange(3, 1024)\nos.execv(sys.argv[1], sys.argv[1:])\n' >launch.py
have python3 && expect 66 "1 certain race" timeout $hang heddle run python3 launch.py ./processes race
expect 0 "heddle: races were found; start the program with \`heddle run\` to see them" ./processes race
# A launcher may remove the environment.
expect 66 "1 certain race" timeout $hang heddle run env -i ./processes race
expect 66 "as the options say: its environment was removed" timeout $hang heddle run --serial env -i ./processes race

# --- what was not analysed is named, and nothing is said of it ----------------------------------------------
cat >forks.c <<'END'
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int value;
static void* work(void* unused) {
  ++value;
  return unused;
}
static void race(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  value = 2;
  pthread_join(thread, 0);
}
static void* wait_for_ever(void* unused) {
  pause();
  return unused;
}
int main(int count, char** words) {
  pthread_t thread;
  if (!strcmp(words[1], "after")) {
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
  if (!strcmp(words[1], "threads") || !strcmp(words[1], "exec")) pthread_create(&thread, 0, wait_for_ever, 0);
  for (int i = 0; i < 2; ++i)
    if (fork() == 0) {
      if (!strcmp(words[1], "exec")) execlp("true", "true", (char*)0);
      race();
      return 0;
    }
  while (wait(0) > 0) {
  }
  return 0;
}
END
check "build" heddle cc -g forks.c -o forks -pthread
expect 66 "1 certain race, 0 predicted (./forks, exit code 0)" timeout $hang heddle run ./forks alone
expect 66 "1 certain race, 0 predicted (./forks, exit code 0)" timeout $hang heddle run ./forks after
expect 0 "SUMMARY: heddle: no races or potential deadlocks found (./forks, exit code 0)" timeout $hang heddle run ./forks exec
for way in "" --serial; do
  # shellcheck disable=SC2086
  expect 0 "not analysed: 2 forked children" timeout $hang heddle run $way --report=forks.json ./forks threads
  grep -q "deadlocks found" output && fail "it says more than it knows"
  grep -q "not everything was analysed" output || fail "the summary does not say that something was left out"
  grep -A1 '"not_analysed"' forks.json | grep -q "2 forked children" || fail "not so in the JSON report"
done
cat >predicted.c <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value, done;
static void* work(void* unused) {
  value = 1;
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = done;
    pthread_mutex_unlock(&mutex);
  }
  value = 2;
  pthread_join(thread, 0);
  return 0;
}
END
check "build" heddle cc -g predicted.c -o predicted -pthread
expect 0 "heddle: races are predicted, none was certain in this run; start the program" ./predicted
cat >target.c <<'END'
int main(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  x = 1;
  return x != 1;
}
END
check "build" env HEDDLE_CC=gcc heddle cc -fopenmp target.c -o target
expect 70 "not everything was analysed" timeout $hang heddle run ./target
grep -q "deadlocks found" output && fail "it says more than it knows"
cat >plugin.c <<'END'
#include <pthread.h>
int value;
static void* work(void* unused) {
  ++value;
  return unused;
}
void plugin(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  value = 2;
  pthread_join(thread, 0);
}
END
cat >plain_host.c <<'END'
#include <dlfcn.h>
int main(void) {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  if (!plugin) return 1;
  ((void (*)(void))dlsym(plugin, "plugin"))();
  return 0;
}
END
check "build" heddle cc --heddle-shared -g -fPIC -shared plugin.c -o plugin.so -pthread
check "build" gcc plain_host.c -o plain_host -ldl
expect 0 "loads a plugin that was: preload libheddle.so" timeout $hang heddle run ./plain_host
grep -q "deadlocks found" output && fail "it says more than it knows"
expect 66 "1 certain race, 0 predicted (./plain_host, exit code 0)" env LD_PRELOAD="$heddle_bin/../lib/heddle/libheddle.so" timeout $hang heddle run ./plain_host

# --- instrumented shared objects ----------------------------------------------------------------------------
cat >plugin.cpp <<'END'
static int plugin_state;
extern "C" void plugin_call() { plugin_state++; }
END
cat >host.cpp <<'END'
#include <dlfcn.h>
#include <thread>
int main() {
  for (int round = 0; round < 3; ++round) {
    void* plugin = dlopen("./plugin.so", RTLD_NOW);
    auto call = reinterpret_cast<void (*)()>(dlsym(plugin, "plugin_call"));
    std::thread a(call), b(call);
    a.join();
    b.join();
    dlclose(plugin);
  }
}
END
check "build" sh -c "heddle c++ -O1 -fPIC -shared plugin.cpp -o plugin.so && heddle c++ -O1 host.cpp -o host"
expect 66 "plugin_state" timeout $hang heddle run ./host
expect 66 "plugin.cpp:2" timeout $hang heddle run ./host
finish
