#!/bin/bash
# Files that are cut off, damaged or of another kind: exit code 65, never "nothing was found"; and nothing of them
# reaches the terminal as a control character.
source "$(dirname "$0")/lib.sh" "$1"

cat >counter.cpp <<'END'
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
std::mutex mutex;
int counter, unprotected;
int main(int count, char** words) {
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(words[1]); ++i)
    threads.emplace_back([=] {
      std::lock_guard guard(mutex);
      ++counter;
    });
  for (auto& thread : threads) thread.join();
  if (count > 2) {
    std::thread other([] { ++unprotected; });
    ++unprotected;
    other.join();
  }
}
END
heddle c++ -std=c++20 -g -O1 counter.cpp -o counter || fail "counter does not compile"
# No first line of a text file begins so.
{ printf 'noise' && head -c 3000 /dev/urandom; } >noise
printf 'int main() {}\n' >foreign
: >empty
cut_off() { head -c $(($(stat -c %s "$1") - $2)) "$1" >"$3"; }

# --- histories ------------------------------------------------------------------------------------------------------

heddle record --quiet -o whole.hist ./counter 3
expect 0 "dpst" heddle analyze whole.hist
cut_off whole.hist 40 cut.hist
head -c 100 whole.hist >short.hist
for engine in dpst fasttrack lockset deadlock; do
  expect 65 "only the part before was analysed" heddle analyze cut.hist --engine=$engine
done
expect 65 "only the part before was analysed" heddle analyze short.hist
for file in noise foreign; do
  expect 65 "$file: line 1:" heddle analyze $file
  expect 65 "$file: line 1:" heddle history $file
  expect 65 "$file: line 1:" heddle graph $file
  expect 65 "$file: line 1:" heddle record -o converted --from-events=$file
  expect 65 "not a history" heddle analyze $file --format=hist
done
expect 65 "cut off" heddle history cut.hist
expect 65 "and not complete" heddle graph cut.hist
# Text that is read, but cannot have happened.
printf '0 barrier-arrive 7\n' >team.txt
printf '3 write 0x100 8\n' >task.txt
printf '0 group-close\n' >group.txt
for file in team task group; do
  expect 65 "may not come here" heddle analyze $file.txt --engine=all
  expect 65 "may not come here" heddle graph $file.txt
done
# What was found before the damage counts.
printf '0 spawn 1 thread\n1 begin 1\n1 write 0x100 8\n0 write 0x100 8\nand then?\n' >racy.txt
expect 66 "only the part before was analysed" heddle analyze racy.txt --engine=fasttrack

# --- raw logs -------------------------------------------------------------------------------------------------------

heddle run --quiet --keep-log=whole.log ./counter 2
heddle run --quiet --keep-log=race.log ./counter 1 race 2>output
expect 0 "no races or potential deadlocks found" heddle report whole.log
cut_off whole.log 5 cut.log
expect 65 "cut off within its last line" heddle report cut.log
grep -v '"type":"exit"' whole.log >no_end.log
expect 65 "the end of the run is not in it" heddle report no_end.log
sed '2s/.*/{"type":/' whole.log >bad.log
expect 65 "the report is not complete" heddle report bad.log
cut_off race.log 5 cut_race.log
expect 66 "the report is not complete" heddle report cut_race.log
for file in noise foreign empty; do
  expect 65 "not a raw log" heddle report $file
  expect 65 "not a raw log" heddle confirm --findings=$file ./counter 1 race
done
expect 65 "cut off within its last line" heddle confirm --findings=cut.log ./counter 2

# --- schedules, certificates, frontiers -----------------------------------------------------------------------------

heddle prove ./counter 3 >output 2>&1
heddle prove --certificate=none --max-orders=2 ./counter 3 >output 2>&1
heddle prove --certificate=none ./counter 1 race >output 2>&1
for file in noise foreign empty; do
  expect 65 "$file" heddle replay $file ./counter 1 race
  expect 65 "$file" heddle check-certificate $file ./counter 3
  expect 65 "$file" heddle prove --resume --frontier=$file ./counter 3
done
for size in 2 20 200; do
  cut_off counter.certificate $size cut.certificate
  expect 65 "cut.certificate" heddle check-certificate cut.certificate ./counter 3
  cut_off counter.frontier $size cut.frontier
  expect 65 "cut.frontier" heddle prove --resume --frontier=cut.frontier ./counter 3
done
cut_off counter.schedule 2 cut.schedule
expect 65 "cut.schedule" heddle replay cut.schedule ./counter 1 race

# --- what cannot be opened, and what the user wrote, is wrong use ---------------------------------------------------

expect 2 "No such file" heddle analyze nothing.hist
expect 2 "cannot read" heddle replay . ./counter 1
expect 2 "noise" heddle run --suppressions=noise ./counter 1
expect 2 "noise" heddle run --options-file=noise ./counter 1

# --- control characters ---------------------------------------------------------------------------------------------

# no_escapes WHAT COMMAND...: nothing that it prints is a control character but newlines and tabs, and it is UTF-8.
no_escapes() {
  local what=$1
  shift
  "$@" >output 2>&1
  if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' output || ! iconv -f UTF-8 -t UTF-8 output >/dev/null 2>&1; then
    fail "$what: control characters reach the terminal"
    head -c 600 output | cat -v | sed 's/^/    /'
  else
    echo "ok: $what prints no control characters"
  fi
}
escape=$(printf 'a\033[31mb\007')
cp counter "$escape"
no_escapes "a program's name" heddle run "./$escape" 1 race
grep -qF 'a\x1b[31mb\x07' output || fail "the name is not readable any more"
no_escapes "a missing program" heddle run "./$escape-missing"
no_escapes "an unknown option" heddle run "--$escape" ./counter 1
no_escapes "an unknown verb" heddle "$escape"
no_escapes "noise as events" heddle analyze noise
no_escapes "noise as a trace" heddle analyze noise --format=std
no_escapes "noise as a raw log" heddle report noise
no_escapes "noise as a schedule" heddle replay noise ./counter 1
no_escapes "noise as a certificate" heddle check-certificate noise ./counter 1
no_escapes "noise as suppressions" heddle run --suppressions=noise ./counter 1
no_escapes "noise as options" heddle run --options-file=noise ./counter 1
printf 'T0|fork(T1)|1\nT0|w(x\033[2J)|2\nT1|r(x\033[2J)|3\233\n' >trace.std
no_escapes "names of a trace" heddle analyze trace.std --engine=fasttrack
no_escapes "names of a graph" heddle graph trace.std
sed 's/counter/\\u001b]0;title\\u0007/g; s/"kind":"thread"/"kind":"\\u009bthread"/' race.log >hostile.log
no_escapes "names of a raw log" heddle report hostile.log
cat >größe.cpp <<'END'
#include <thread>
int größe;
int main() {
  std::thread other([] { ++größe; });
  ++größe;
  other.join();
}
END
heddle c++ -g größe.cpp -o größe
expect 66 "größe" heddle run ./größe

finish
