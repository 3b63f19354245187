#!/bin/bash
# However a program ends, and whatever it does to its descriptors and processes: a clear message, a non-zero exit, and every race that
# was found before is reported. With real programs, built with Heddle.
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
  while (void* p = malloc(1 << 20)) *static_cast<char*>(p) = 1;
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
