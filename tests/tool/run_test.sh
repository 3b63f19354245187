#!/bin/bash
# heddle run and heddle report around programs of every kind of ending. The programs are scripts that write the raw log
# themselves (docs/raw-log.md), so this is about the tool alone.
source "$(dirname "$0")/lib.sh" "$1"

# program NAME BODY: a script; `log LINE` appends to the raw log, `race EVIDENCE PC1 PC2` logs a race.
program() {
  cat >"$1" <<EOF
#!/bin/bash
log() { printf '%s\n' "\$1" >&\$HEDDLE_LOG_FD; }
start() {
  log '{"type":"start","version":1,"pid":'\$\$',"exe":"/no/such/app","checks":["race","deadlock"]}'
  log '{"type":"module","path":"/no/such/app","base":"0x1000","begin":"0x1000","end":"0x9000"}'
  log '{"type":"task","id":1,"kind":"initial thread","parent":0,"thread":0,"created":[]}'
  log '{"type":"task","id":2,"kind":"thread","parent":1,"thread":1,"created":["0x1500"]}'
}
race() {
  log '{"type":"race","id":'\$2',"evidence":"'\$1'","address":"0x5000","size":4,"first":{"op":"write","atomic":false,"address":"0x5000","size":4,"stack":["0x2'\$2'"],"task":1,"thread":0,"locks":[]},"second":{"op":"read","atomic":false,"address":"0x5000","size":4,"stack":["0x3'\$2'"],"task":2,"thread":1,"locks":[]},"location":{"kind":"unknown"}}'
}
$2
EOF
  chmod +x "$1"
}

program clean 'start; exit 5'
program racy 'start; race certain 101; race certain 102; race predicted 103; exit 3'
program predicted 'start; race predicted 101; exit 3'
program crash 'start; race certain 101; kill -SEGV $$'
program killed 'start; kill -KILL $$'
program cut 'start; race certain 101; printf "{\"type\":\"ra" >&$HEDDLE_LOG_FD'
program garbage 'start; log "what is this"; exit 0'
program nothing 'exit 7'
program two 'start; race certain 101; start; race certain 101; race certain 102'
program waits 'start; race certain 101; trap "exit 9" TERM INT HUP; touch ready; while :; do sleep 0.05; done'
program options 'start; echo "options: $HEDDLE_OPTIONS"; exit 0'
program counters 'start; log "{\"type\":\"stats\",\"accesses\":12}"; log "{\"type\":\"warning\",\"text\":\"beware\"}"'

expect 5 "SUMMARY: heddle: no races or potential deadlocks found (./clean, exit code 5)" heddle run ./clean
expect 66 "SUMMARY: heddle: 2 certain races, 1 predicted (./racy, exit code 3)" heddle run ./racy
expect 66 "1 predicted race, ordered only in this run" heddle run ./racy
expect 66 "DATA RACE 3 (predicted)" heddle run --predicted ./racy
expect 1 "SUMMARY" heddle run --exit-code=1 ./racy
expect 3 "SUMMARY" heddle run --exit-code=0 ./racy
expect 3 "SUMMARY" heddle run --fail-on=none ./racy
expect 66 "1 more certain races are not listed" heddle run --max-reports=1 ./racy
expect 3 "0 certain races, 1 predicted" heddle run ./predicted
expect 66 "0 certain races, 1 predicted" heddle run --fail-on=predicted ./predicted
expect 66 "killed by signal 11" heddle run ./crash
expect 137 "no races or potential deadlocks found (./killed, killed by signal 9)" heddle run ./killed
expect 66 "1 certain race," heddle run ./cut
expect 70 "line 6 of the raw log" heddle run ./garbage
expect 2 "did not run anything that was built with Heddle" heddle run ./nothing
expect 66 "2 certain races" heddle run ./two
expect 66 "rerun     OMP_NUM_THREADS=3 heddle run ./racy 'a b'" env OMP_NUM_THREADS=3 heddle run ./racy 'a b'
expect 0 "stats: accesses = 12" heddle run --stats ./counters
expect 0 "warning: beware" heddle run ./counters

# Who wins: command line, environment, file.
printf 'exit-code=11\nfail-on=none\nmemory-limit-mb=5\n' >.heddle
expect 3 "" heddle run ./racy
expect 11 "" heddle run --fail-on=certain ./racy
expect 12 "" env HEDDLE_OPTIONS=fail_on=certain:exit_code=12 heddle run ./racy
expect 13 "" env HEDDLE_OPTIONS=fail_on=certain:exit_code=12 heddle run --exit-code=13 ./racy
expect 0 "options: memory-limit-mb=6:races=1" env HEDDLE_OPTIONS=memory-limit-mb=6 heddle run --races ./options
rm .heddle
echo exit-code=14 >mine
expect 14 "" heddle run --options-file=mine ./racy
expect 2 "unknown option 'exit-cod'; did you mean 'exit-code'?" heddle run --exit-cod=1 ./racy
expect 2 "HEDDLE_OPTIONS: unknown option" env HEDDLE_OPTIONS=nonsense=1 heddle run ./racy
expect 2 "cannot read the options file" heddle run --options-file=absent ./racy

# Suppressions.
echo 'race:app' >all.txt
printf '# nothing\nrace:other\n' >none.txt
expect 3 "no races or potential deadlocks found (./racy, exit code 3, 3 suppressed)" heddle run --suppressions=all.txt ./racy
expect 66 "unused suppression: race:other (none.txt:2)" heddle run --suppressions=none.txt ./racy
expect 2 "cannot read the suppressions file" heddle run --suppressions=absent.txt ./racy

# Where reports go.
heddle run --log-path=report.txt --report=report.json --keep-log=kept.log ./racy 2>stderr.txt
[ -s stderr.txt ] && fail "--log-path: something on the standard error"
check "log-path" grep -q '^SUMMARY' report.txt
check "json has predicted races too" test "$(grep -c '"evidence"' report.json)" -eq 3
expect 66 "SUMMARY: heddle: 2 certain races, 1 predicted (./racy, exit code 3)" heddle report kept.log
expect 66 "DATA RACE 3 (predicted)" heddle report --predicted kept.log
check "a kept log gives the same report" sh -c "heddle report kept.log 2>again.txt; cmp again.txt report.txt"
expect 2 "cannot read the raw log" heddle report absent.log
expect 65 "is not a raw log" heddle report all.txt
expect 3 "" heddle run --quiet --fail-on=none ./racy
heddle run --quiet ./clean 2>stderr.txt
[ -s stderr.txt ] && fail "--quiet: something on the standard error"
expect 66 $'\033[' heddle run --color=always ./racy
heddle run ./racy 2>&1 | grep -q $'\033' && fail "colours in a pipe"
check "no log is left behind" test -z "$(ls "${TMPDIR:-/tmp}" | grep heddle-log)"

# Signals reach the program, and the report is made all the same.
for signal in TERM INT HUP; do
  rm -f ready
  # A background job of a script ignores SIGINT, and what is ignored is not passed on: start with the default.
  env --default-signal=INT heddle run ./waits 2>signal.txt &
  await ready
  kill -$signal $!
  wait $!
  code=$?
  check "SIG$signal is passed on" test $code -eq 66
  check "SIG$signal: the report is made" grep -q 'exit code 9' signal.txt
done

# Wrong use.
expect 2 "there is no program './absent'" heddle run ./absent
expect 2 "did you mean './racy'?" heddle run racy
touch plain_file
expect 2 "is not an executable file" heddle run ./plain_file
expect 2 "needs a program" heddle run
expect 2 "was not built with Heddle" heddle run /bin/true
expect 2 "unknown verb 'rum'; did you mean 'run'?" heddle rum
expect 2 "usage: heddle VERB" heddle
expect 0 "usage: heddle VERB" heddle --help
for verb in cc c++ fc run report; do expect 0 "examples:" heddle $verb --help; done
expect 0 "--fail-on" heddle options
expect 0 "heddle " heddle --version
finish
