#!/bin/bash
# A report as SARIF: whatever can write a report can write it, and it is what the specification says.
source "$(dirname "$0")/lib.sh" "$1"
checker="$here/sarif_check.py"
baselines="$here/../../src/report/baselines"

"$checker" "$baselines"/report.sarif "$baselines"/clean.sarif || fail "the baselines are no SARIF"

# property FILE EXPRESSION VALUE: what a Python expression about the run says.
property() {
  local found
  found=$(python3 -c 'import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
print(eval(sys.argv[2]))' "$1" "$2") || fail "$1 has no $2"
  [ "$found" = "$3" ] || fail "$1: $2 is $found, not $3"
}

mkdir 'a folder'
cat >'a folder/races.cpp' <<'END'
#include <thread>
int counter;
int main(int count, char**) {
  std::thread other([] { ++counter; });
  if (count > 1) ++counter;
  other.join();
}
END
heddle c++ -g -O1 'a folder/races.cpp' -o races || fail "races does not compile"

expect 66 "" heddle run --report=run.sarif --keep-log=kept.log ./races race
"$checker" run.sarif || fail "heddle run writes no SARIF"
property run.sarif 'len(run["results"])' 1
property run.sarif 'run["results"][0]["ruleId"], run["results"][0]["level"]' "('data-race', 'error')"
property run.sarif 'run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]' a%20folder/races.cpp
property run.sarif 'len(run["results"][0]["codeFlows"][0]["threadFlows"])' 2
property run.sarif 'run["invocations"][0]["executionSuccessful"], run["invocations"][0]["exitCode"]' "(True, 0)"

expect 66 "" heddle report --report=report.sarif kept.log
cmp run.sarif report.sarif || fail "heddle report writes another report"
expect 0 "" heddle run --report=clean.sarif ./races
"$checker" clean.sarif || fail "a clean run writes no SARIF"
property clean.sarif 'run["results"]' "[]"
expect 66 "confirmed" heddle confirm --report=confirm.sarif ./races race
"$checker" confirm.sarif || fail "heddle confirm writes no SARIF"
property confirm.sarif 'run["results"][0]["properties"]["confirmation"]' confirmed

cat >locks.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread one([] { std::scoped_lock first(a); std::scoped_lock second(b); });
  one.join();
  std::thread other([] { std::scoped_lock first(b); std::scoped_lock second(a); });
  std::thread third([] { std::scoped_lock first(a); std::scoped_lock second(b); });
  other.join();
  third.join();
}
END
heddle c++ -std=c++20 -g -O1 locks.cpp -o locks || fail "locks does not compile"
timeout 60 heddle run --check=deadlock --halt-on-deadlock --report=locks.sarif ./locks >output 2>&1
"$checker" locks.sarif || fail "a deadlock is no SARIF"
property locks.sarif 'run["results"][0]["ruleId"], len(run["results"][0]["codeFlows"][0]["threadFlows"])' "('deadlock', 2)"
property locks.sarif '"heddleIdentity/v1" in run["results"][0]["partialFingerprints"]' True

finish
