#!/bin/bash
# One table of options: what the tool and the program make of a value, what verbs refuse, the help and the completion.
source "$(dirname "$0")/lib.sh" "$1"

cat >racy.cpp <<'END'
#include <thread>
int shared;
int main() {
  std::thread other([] { shared = 1; });
  shared = 2;
  other.join();
}
END
check "build" heddle c++ -std=c++20 -O1 -pthread racy.cpp -o racy

# --- the program reads a value as the tool does -------------------------------------------------------------

expect 66 "1 certain race" heddle run ./racy
for off in --races=off --races=no --races=false --races=0 --no-races --no_races; do
  expect 0 "nothing was looked for" heddle run $off ./racy
done
for on in --races=on --races=yes --races=true --races=1 --races; do expect 66 "1 certain race" heddle run $on ./racy; done
for off in --stats=off --stats=no --no-stats; do
  heddle run $off ./racy >output 2>&1
  grep -q "^stats:" output && fail "$off prints counters"
done
expect 66 "stats: " heddle run --stats=on ./racy
expect 66 "1 certain race" env HEDDLE_OPTIONS=serial=no:stats=off heddle run ./racy

# --- what is looked for, and only that is said to be absent --------------------------------------------------

cat >locks.cpp <<'END'
#include <atomic>
#include <mutex>
#include <thread>
std::mutex left, right;
std::atomic<bool> done;  // relaxed: it orders nothing
void both(std::mutex& first, std::mutex& second) {
  std::lock_guard<std::mutex> outer(first), inner(second);
}
int main() {
  std::thread other([] {
    both(right, left);
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  both(left, right);
  other.join();
}
END
check "build" heddle c++ -std=c++20 -O1 -pthread locks.cpp -o locks
expect 66 "SUMMARY: heddle: 1 potential deadlock (./locks, exit code 0)" heddle run ./locks
expect 0 "heddle: potential deadlocks were found; start the program with \`heddle run\` to see them" ./locks
expect 0 "SUMMARY: heddle: no races found (./locks, exit code 0)" heddle run --check=race ./locks
expect 0 "SUMMARY: heddle: no races found (./locks, exit code 0)" env HEDDLE_OPTIONS=check=race heddle run ./locks
expect 0 "SUMMARY: heddle: no potential deadlocks found (./racy, exit code 0)" heddle run --check=deadlock ./racy

# --- what is refused ----------------------------------------------------------------------------------------

for wrong in --timeout=-5 --timeout=1e3 --timeout=soon --threads=4294967297 --threads=-1 --exit-code=256 --max-reports=1x \
  --memory-limit-mb=18446744073709551616 --races=maybe --check=races --check=race, --color=blue --names=; do
  expect 2 "$wrong: " heddle run $wrong ./racy
done
expect 2 "is not 0 or 1" heddle prove --keep-going=2 ./racy
expect 2 "heddle run has no option 'around'" heddle run --around=1 ./racy
expect 2 "heddle graph has no option 'serial'" heddle graph run.hist --serial
expect 2 "the option 'sample' needs a value: sample=N" heddle check-certificate --sample c ./racy
expect 2 "there is no policy 'mine'" heddle prove --policy=mine ./racy
expect 2 "heddle options takes no arguments" heddle options run

# --- help and completion ------------------------------------------------------------------------------------

expect 0 "  check-certificate  check a proof" heddle --help
expect 0 "heddle finds data races, atomicity violations and deadlocks" heddle --help
verbs=$(heddle --help | sed -nE 's/^  ([a-z+-]+)  .*/\1/p')
check "there are verbs" test "$(wc -w <<<"$verbs")" -ge 16
heddle options --completion >completion.bash
check "bash reads the completion script" bash -n completion.bash
source completion.bash
# complete_words WORD...: what bash would offer for the last one.
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _heddle
  echo "${COMPREPLY[*]}"
}
offered=" $(complete_words heddle "") "
for verb in $verbs; do
  [[ $offered == *" $verb "* ]] || fail "the completion lacks the verb $verb"
  options=" $(complete_words heddle "$verb" --) "
  for option in $(heddle "$verb" --help | sed -nE 's/^  (-o FILE, )?(--[a-z-]+=?).*/\2/p'); do
    [[ $options == *" $option "* ]] || fail "the completion of $verb lacks $option"
  done
done
check "a prefix" test "$(complete_words heddle meet --str)" = "--strategy= --strict"
check "words of an option" test "$(complete_words heddle confirm --stop-on = c)" = crash
check "what follows the program is its own" test -z "$(complete_words heddle run ./app --st)"
finish
