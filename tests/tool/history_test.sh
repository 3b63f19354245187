#!/bin/bash
# Histories without a recorded program: generating, looking into them, other people's traces, damaged files.
source "$(dirname "$0")/lib.sh" "$1"

for model in async openmp threads locks mixed; do
  heddle generate --model=$model --seed=5 --steps=200 >$model.txt
  heddle generate --model=$model --seed=5 --steps=200 -o $model.hist
  check "$model: text and file are the same history" diff $model.txt <(heddle history $model.hist --dump)
  expect 0 "events, each where it may be" heddle history $model.hist --validate
  expect 0 "events, each where it may be" heddle history $model.txt --validate
done
check "the seed decides" cmp <(heddle generate --seed=9) <(heddle generate --seed=9)
check "another seed is another history" test "$(heddle generate --seed=9)" != "$(heddle generate --seed=10)"

for model in async openmp threads locks; do
  heddle generate --model=$model --events=100000 --inject-races=2 -o loops.hist
  expect 0 "ended              generated" heddle history loops.hist
  expect 0 "events, each where it may be" heddle history loops.hist --validate
done
heddle history loops.hist --json >figures.json
check "figures as JSON" python3 -c '
import json
figures = json.load(open("figures.json"))
assert figures["events"] >= 100000 and figures["locks"] == 16 and figures["kinds"]["acquire"] == figures["kinds"]["release"], figures
assert figures["events"] == sum(figures["kinds"].values()) and figures["bytes"] < figures["records"] * 16, figures'
check "--count" test "$(heddle history loops.hist --dump --count=5 | wc -l)" = 5
heddle history loops.hist --dump | grep "^1 " >of_task.txt
check "--task has events" test -s of_task.txt
check "--task" cmp of_task.txt <(heddle history loops.hist --dump --task=1)
check "--task and --count" test "$(heddle history loops.hist --dump --task=1 --count=5 | grep -c "^1 ")" = 5
check "a reader that stops early is no error" test "$(heddle history loops.hist --dump | head -n 3 | wc -l)" = 3

# Damage: what comes before it is read, the exit code and the message tell.
size=$(stat -c %s loops.hist)
head -c $((size * 9 / 10)) loops.hist >cut.hist
expect 65 "the file is cut off within a chunk" heddle history cut.hist
expect 65 "heddle: cut.hist: " heddle history cut.hist --validate
heddle history loops.hist --dump >whole.txt
heddle history cut.hist --dump >part.txt 2>/dev/null
check "the readable part is the beginning" cmp part.txt <(head -n "$(wc -l <part.txt)" whole.txt)
check "... and not nothing" test -s part.txt
cp loops.hist bad.hist
printf 'x' | dd of=bad.hist bs=1 seek=$((size / 2)) conv=notrunc status=none
expect 65 "damaged" heddle history bad.hist
expect 65 "this is not a history of Heddle" heddle history whole.txt --format=hist
expect 2 "No such file" heddle history nothing.hist
expect 2 "a history is read from a file" heddle history .

# Other people's traces.
printf 'T0|fork(T1)|1\nT0|w(x)|2\nT1|w(x)|3\nT0|join(T1)|4\n' >trace.std
expect 0 "access                        2   0 reads, 2 writes" heddle history trace.std
expect 0 "events, each where it may be" heddle history trace.std --validate
expect 66 "at 3" heddle analyze trace.std --format=std --engine=fasttrack
printf 'T0|rel(m)|5\n' >>trace.std
expect 65 "trace.std: line 5: T0 releases m, which it does not hold" heddle history trace.std
printf '0 spawn 1\n0 wait-children\n' >illegal.txt
expect 65 'event 1, "task 0 waits for its children", may not come here: a child has not ended' heddle history illegal.txt --validate
printf '0 spawn 1 thread\n1 begin 1\n0 detach-thread 1\n1 end\n' >detached.txt
expect 0 "events, each where it may be" heddle history detached.txt --validate
echo '0 join-thread 1' >>detached.txt
expect 65 "or has been joined or detached already" heddle history detached.txt --validate
printf '0 spawn 1\n0 spwan 2\n' >mistyped.txt
expect 65 "line 2: unknown event 'spwan'" heddle history mistyped.txt

# Wrong use.
expect 2 "did you mean 'dump'?" heddle history loops.hist --dupm
expect 2 "three different things" heddle history loops.hist --dump --validate
expect 2 "needs a history" heddle history
expect 2 "'csv' for the option 'format' is not one of hist|std|text" heddle history loops.hist --format=csv
expect 2 "did you mean 'async'?" heddle generate --model=asnyc
expect 2 "--inject-races needs --events" heddle generate --inject-races=2
expect 2 "there are no loops of the model mixed" heddle generate --model=mixed --events=5
expect 2 "is not a number from 2 to 10000" heddle generate --events=5 --workers=1
expect 2 "cannot write" heddle generate -o /nonexistent/file.hist
if [ -e /dev/full ]; then expect 2 "No space left" heddle generate -o /dev/full; fi

finish
