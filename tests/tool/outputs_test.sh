#!/bin/bash
# What the tool writes: nothing that it did not make itself is removed or emptied, half a file is never left, and what
# cannot be written is an error.
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

# same FILE: it is still what it was.
same() { [ "$(cat "$1" 2>/dev/null)" = precious ] || fail "$1 is not what it was"; }
# only FILES: no other file is in folder out.
only() { [ "$(ls -A out | tr '\n' ' ')" = "$*" ] || fail "in out are $(ls -A out | tr '\n' ' '), not $*"; }
mkdir out

# --- without a proof, or without a bug, what was there stays --------------------------------------------------------

files="--certificate=out/c --schedule=out/s --frontier=out/f"
for file in c s f; do echo precious >out/$file; done
expect 66 "a data race" heddle prove $files ./counter 1 race
same out/c
expect 4 "undecided" heddle prove $files --max-orders=1 ./counter 3
same out/c
expect 0 "race-free" heddle prove --resume $files ./counter 3
expect 0 "the certificate holds" heddle check-certificate out/c ./counter 3
[ -e out/f ] || fail "the frontier was removed"
for file in c s f; do echo precious >out/$file; done
expect 0 "race-free" heddle prove $files ./counter 2
same out/s
same out/f
echo precious >out/c
expect 2 "there is no program" heddle prove $files ./missing
expect 2 "was not built with Heddle" heddle prove $files /bin/true
same out/c
only "c f s "
rm out/*

# --- a device, a fifo, the standard output --------------------------------------------------------------------------

# Devices of the test's own: without permission to create them, it cannot harm the real ones either.
null=/dev/null full=/dev/full
if mknod out/null c 1 3 2>/dev/null && mknod out/full c 1 7 2>/dev/null && : 2>/dev/null >out/null; then
  null=out/null full=out/full
else
  rm -f out/null out/full
fi
expect 66 "a data race" heddle prove --certificate=$null --schedule=$null ./counter 1 race
expect 4 "undecided" heddle prove --certificate=$null --frontier=$null --summary=$null --max-orders=1 ./counter 3
expect 0 "race-free" heddle prove --certificate=$null --summary=$null ./counter 3
heddle run --report=$null --log-path=$null ./counter 1 race
[ $? -eq 66 ] || fail "a run whose report goes to a device has another exit code"
expect 0 "" heddle record -o $null ./counter 2
expect 2 "so it must be a file" heddle run --keep-log=$null ./counter 1
[ -c $null ] || fail "the device is gone"
expect 2 "No space left on device" heddle prove --certificate=$full ./counter 2
expect 2 "No space left on device" heddle prove --summary=$full ./counter 2
expect 2 "No space left on device" heddle prove --schedule=$full ./counter 1 race
expect 2 "No space left on device" heddle run --report=$full ./counter 2
expect 2 "No space left on device" heddle run --log-path=$full ./counter 2
expect 2 "No space left on device" heddle record -o $full ./counter 2
expect 2 "No space left on device" heddle generate -o $full --model=async
[ -c $full ] || fail "the full device is gone"

mkfifo out/fifo
cat out/fifo >through &
heddle prove --certificate=out/fifo ./counter 2 >output 2>&1
wait $!
expect 0 "the certificate holds" heddle check-certificate through ./counter 2
[ -p out/fifo ] || fail "the fifo is gone"
echo "first line" >stdout
heddle run --report=/dev/stdout ./counter 1 race >>stdout 2>output
grep -q "first line" stdout && grep -q '"findings"' stdout || fail "/dev/stdout is not written into"
rm -rf out && mkdir out

# --- nothing is left behind by a tool that is ended -----------------------------------------------------------------

# ended SIGNAL: while it explores, with a certificate that has no name yet.
ended() {
  heddle prove --jobs=1 --certificate=out/c --frontier=out/f ./counter 9 >output 2>&1 &
  local tool=$! until=$((SECONDS + hang))
  until ls -l /proc/$tool/fd 2>/dev/null | grep -q 'out/#'; do
    [ $SECONDS -lt $until ] && [ -e /proc/$tool ] || { fail "no certificate is begun"; return; }
  done
  kill -"$1" $tool
  wait $tool
}
for signal in PIPE HUP KILL; do
  ended $signal 2>/dev/null
  only ""
done
# These two stop it in an orderly way: what is left is written.
for signal in TERM INT; do
  ended $signal
  [ ! -e out/c ] || fail "a certificate of a part"
  rm -f out/f
  only ""
done

# --- folders, and what may not be written ---------------------------------------------------------------------------

mkdir out/folder
for option in certificate schedule summary; do
  expect 2 "cannot write 'out/folder': Is a directory" heddle prove --$option=out/folder ./counter 1 race
  expect 2 "cannot write 'out/none/file'" heddle prove --$option=out/none/file ./counter 1 race
done
for option in report log-path keep-log; do
  expect 2 "Is a directory" heddle run --$option=out/folder ./counter 1
  expect 2 "No such file or directory" heddle run --$option=out/none/file ./counter 1
done
mkdir out/bug-1.schedule
expect 2 "Is a directory" heddle confirm --out=out ./counter 1 race
rmdir out/bug-1.schedule
expect 2 "Is a directory" heddle record -o out/folder ./counter 1
expect 2 "Is a directory" heddle prove --frontier=out/folder --max-orders=1 ./counter 3
only "folder "
if [ "$(id -u)" -ne 0 ]; then
  echo precious >out/folder/file
  chmod a-w out/folder
  expect 2 "cannot write 'out/folder/file'" heddle run --report=out/folder/file ./counter 1
  same out/folder/file
  chmod u+w out/folder
fi
rm -rf out && mkdir out

# --- links, and what nothing ran for --------------------------------------------------------------------------------

echo precious >out/target
ln -s target out/link
expect 66 "" heddle run --report=out/link ./counter 1 race
[ -L out/link ] && grep -q '"findings"' out/target || fail "a link is replaced by a file"
echo precious >out/target
expect 2 "nothing was recorded" heddle record -o out/target /bin/true
same out/target
only "link target "

finish
