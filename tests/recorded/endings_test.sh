#!/bin/bash
# However a recorded program or the tool ends, the recorded part is a history. usage: endings_test.sh BIN_DIRECTORY
# REPLAY
source "$(dirname "$0")/../tool/lib.sh" "$1"
replay=$2

# readable FILE LEAST PATTERN: the history can be read without a problem except its end, is legal, and has at least so
# many events.
readable() {
  timeout $hang "$replay" "$1" >replayed 2>&1 || { fail "$1 cannot be read"; cat replayed; return; }
  local events
  events=$(sed -n 's/^events //p' replayed)
  if [ "$events" -lt "$2" ]; then
    fail "$1 has only $events events, not $2"
  elif ! grep -qx "legal yes" replayed; then
    fail "$1 is not legal"
    cat replayed
  elif ! grep -q -- "$3" replayed; then
    fail "$1: no line like: $3"
    cat replayed
  else
    echo "ok: $1: $events events, $3"
  fi
}

cat >ends.cpp <<'END'
// Works in parallel, then ends as told, inside the region.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <string>
int counts[64 * 1024];
int racy;
volatile int* nowhere = nullptr;
void ready() { close(open("ready", O_CREAT | O_WRONLY, 0600)); }
int main(int, char** argv) {
  std::string how = argv[1];
#pragma omp parallel num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < 64 * 1024; ++i) counts[i]++;
    racy++;
#pragma omp barrier
#pragma omp single
    {
      if (how == "segv") *nowhere = 1;
      if (how == "abort") abort();
      if (how == "_exit") _exit(3);
      if (how == "exit") exit(3);
      if (how == "kill") raise(SIGKILL);
      if (how == "fork") {
        if (fork() == 0) {
          for (int i = 0; i < 64 * 1024; ++i) counts[i]++;
          exit(0);
        }
        wait(nullptr);
      }
      if (how == "spin") {
        for (volatile int i = 0;; i = i + 1) {
          free(malloc(100));
          if (i == 50000) ready();  // some 200,000 records
        }
      }
    }
  }
}
END
# Without optimisation each round of a loop is an event of its own.
check "build" heddle c++ -O0 -fopenmp ends.cpp -o ends
for how in segv:139 abort:134 kill:137 _exit:3 exit:3 fork:0; do
  expect "${how#*:}" "records of 4 threads" timeout $hang heddle record -o "${how%:*}.hist" ./ends "${how%:*}"
  readable "${how%:*}.hist" 131072 "races [1-9]"
done

# kill_recording TARGET SIGNAL: kills the tool or the program, while it records at full speed.
kill_recording() {
  rm -f ready
  env --default-signal=INT heddle record -o "$1-$2.hist" ./ends spin 2>killed.txt &
  local tool=$! program
  await ready
  program=$(pgrep -P $tool)
  if [ "$1" = tool ]; then kill -"$2" $tool; else kill -"$2" "$program"; fi
  wait $tool
  [ "$1-$2" = tool-KILL ] && kill -KILL "$program"
}
for signal in TERM INT KILL; do
  kill_recording program $signal
  readable program-$signal.hist 150000 "end killed by signal"
done
for signal in TERM INT; do
  kill_recording tool $signal
  readable tool-$signal.hist 150000 "end killed by signal"
done
kill_recording tool KILL
readable tool-KILL.hist 4096 "problem .*"

# A program continues when its tool has gone.
cat >long.cpp <<'END'
#include <cstdio>
#include <unistd.h>
int values[1 << 20];
int main() {
  std::fclose(std::fopen("begun", "w"));
  for (int round = 0; round < 20; ++round)
    for (int i = 0; i < 1 << 20; ++i) values[i] += i;
  std::FILE* done = std::fopen("done", "w");
  std::fclose(done);
}
END
check "build" heddle c++ -O0 long.cpp -o long
rm -f begun done
heddle record -o gone.hist ./long &
tool=$!
await begun
kill -KILL $tool
await done
check "the program goes on without the tool" test -e done

# Two thousand threads at once, each with records.
cat >many.cpp <<'END'
#include <pthread.h>
#include <cstdio>
pthread_barrier_t all;
int own[2000], shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void* work(void* data) {
  ++*static_cast<int*>(data);
  pthread_barrier_wait(&all);
  pthread_mutex_lock(&mutex);
  ++shared;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
int main() {
  pthread_barrier_init(&all, nullptr, 2000);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  static pthread_t threads[2000];
  for (int i = 0; i < 2000; ++i)
    if (pthread_create(&threads[i], &small, work, &own[i]) != 0) return 1;
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  std::printf("%d\n", shared);
}
END
check "build" heddle c++ -O1 many.cpp -o many
expect 0 "records of 2001 threads" timeout $hang heddle record -o many.hist ./many
readable many.hist 20000 "races 0 0"

# Threads that are detached: at their creation, by another thread, by themselves.
cat >detached.cpp <<'END'
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static void* work(void* detaches_itself) {
  if (detaches_itself) pthread_detach(pthread_self());
  sem_post(&done);
  return nullptr;
}

int main() {
  sem_init(&done, 0, 0);
  pthread_attr_t from_the_start;
  pthread_attr_init(&from_the_start);
  pthread_attr_setdetachstate(&from_the_start, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (pthread_create(&thread, &from_the_start, work, nullptr)) return 1;
  if (pthread_create(&thread, nullptr, work, &done)) return 1;
  if (pthread_create(&thread, nullptr, work, nullptr) || pthread_detach(thread)) return 1;
  for (int i = 0; i < 3; ++i) sem_wait(&done);
}
END
for compiler in g++ clang++-19; do
  check "build" env HEDDLE_CXX=$compiler heddle c++ detached.cpp -o detached
  expect 0 "records of 4 threads" timeout $hang heddle record -o detached.hist ./detached
  expect 0 "events, each where it may be" heddle history detached.hist --validate
  check "three threads are detached" test "$(heddle history detached.hist --dump | grep -c detach-thread)" = 3
done

# Little memory.
expect 0 "records of 4 threads" bash -c "ulimit -v 2000000; timeout $hang heddle record -o little.hist ./ends fork"
readable little.hist 131072 "races [1-9]"

# What cannot be recorded is reported as by heddle run.
printf 'int main() {}\n' >plain.c
check "build" gcc plain.c -o plain
expect 2 "did not run anything that was built with Heddle" heddle record ./plain
expect 2 "there is no program './nothing'" heddle record ./nothing
expect 2 "cannot write '/no/such/place'" heddle record -o /no/such/place ./ends fork
expect 2 "heddle record needs a program" heddle record
expect 2 "-o needs the name of a file" heddle record -o

# Several programs: the first is recorded.
expect 0 "1 more programs built with Heddle were started; only the first" \
  heddle record -o first.hist sh -c "./ends fork; ./ends fork"
readable first.hist 131072 "races [1-9]"

# A full disk does not block the program.
if [ -e /dev/full ]; then expect 2 "cannot write '/dev/full'" timeout $hang heddle record -o /dev/full ./ends fork; fi

# From events.
printf '0 spawn 1\n1 begin 2\n1 write 0x10 8\n0 write 0x10 8\n1 end\n0 wait-children\n' >events.txt
heddle record -o events.hist --from-events=events.txt >output 2>&1 || { fail "--from-events"; cat output; }
readable events.hist 4 "races 1 0"
finish
