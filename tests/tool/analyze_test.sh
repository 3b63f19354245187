#!/bin/bash
# Histories through the engines, and as graphs.
source "$(dirname "$0")/lib.sh" "$1"

# Two tasks write one word; in this run a lock that protects something else lies between.
cat >racy.txt <<'END'
0 spawn 1
0 spawn 2
1 begin 2
1 write 0x100 8 site 11
1 acquire 0
1 write 0x200 8 site 12
1 release 0
1 end
2 begin 1
2 acquire 0
2 write 0x208 8 site 22
2 release 0
2 write 0x100 8 site 21
2 end
0 wait-children
END
heddle generate --model=async --events=50000 -o clean.hist
heddle generate --model=locks --events=50000 --inject-races=3 -o loops.hist

expect 66 "write at site 11 and write at site 21, at 0x100" heddle analyze racy.txt --engine=lockset
expect 0 "dpst" heddle analyze racy.txt # in this run the lock lies between
expect 66 "fasttrack" heddle analyze racy.txt --engine=all --format=text --first-race --on-threads --exact --greedy
for engine in dpst cg zipper fasttrack tlc lockset; do
  expect 66 "$engine " heddle analyze loops.hist --engine=$engine
  expect 0 "$engine " heddle analyze clean.hist --engine=$engine
done
expect 66 "found by dpst, cg, zipper, fasttrack, tlc" heddle analyze loops.hist --engine=all
expect 66 "zipper" heddle analyze racy.txt --engine=zipper --weak-order

heddle analyze loops.hist --engine=zipper,fasttrack --json >report.json
check "the report as JSON" python3 -c '
import json
report = json.load(open("report.json"))
assert report["events"] >= 50000, report["events"]
assert [one["engine"] for one in report["engines"]] == ["zipper", "fasttrack"]
for one in report["engines"]:
    assert one["seconds"] > 0 and one["peak_kib"] > 0 and one["events"] == report["events"] and one["counters"]
    race = one["races"][0]
    assert {race["first"]["op"], race["second"]["op"]} & {"write"} and race["address"].startswith("0x"), race'

printf 'T0|fork(T1)|1\nT0|w(x)|2\nT1|r(x)|3\nT0|acq(l)|4\nT0|w(y)|5\nT0|rel(l)|6\nT1|acq(l)|7\nT1|w(y)|8\nT1|rel(l)|9\n' >trace.std
expect 66 "write at 2 and read at 3, at x" heddle analyze trace.std --format=std --engine=fasttrack

# Look, then act, each under the lock; the balance and its record belong together. In this run no access comes between.
cat >account.txt <<'END'
0 spawn 1
0 spawn 2
1 begin 2
1 acquire 0
1 read 0x100 8 site 11
1 release 0
1 acquire 0
1 write 0x100 8 site 12
1 write 0x200 8 site 13
1 release 0
1 end
2 begin 1
2 acquire 0
2 write 0x100 8 site 21
2 release 0
2 end
0 wait-children
END
expect 0 "lockset" heddle analyze account.txt --engine=lockset
expect 66 "ATOMICITY VIOLATION 1 (R-W-W): between read at site 11" heddle analyze account.txt --engine=atomicity
expect 0 "velodrome" heddle analyze account.txt --engine=velodrome
# The same, and the other task comes between.
awk '/^2/ {other = other $0 "\n"; next} {mine = mine $0 "\n"} /site 11/ {at = 1} /release/ && at == 1 {mine = mine "@"; at = 2}
  END {sub("@", other, mine); printf "%s", mine}' account.txt >between.txt
expect 66 "a parallel step has write at site 21, at 0x100" heddle analyze between.txt --engine=velodrome
# One section, and nothing is broken; two variables, and the lock covers each of them.
grep -v "1 release 0" account.txt | awk '/1 acquire/ && seen++ {next} /1 end/ {print "1 release 0"} {print}' >whole.txt
expect 0 "atomicity" heddle analyze whole.txt --engine=atomicity
sed -e 's/read 0x100/read 0x300/' -e 's/1 write 0x100/1 write 0x208/' account.txt >two.txt
expect 0 "atomicity" heddle analyze two.txt --engine=atomicity
expect 66 "R-W-W" heddle analyze two.txt --engine=atomicity --atomic=group:0x100+8,0x300+8,0x200+16
heddle analyze account.txt --engine=atomicity --json >violation.json
check "a violation as JSON" python3 -c '
import json
one, = json.load(open("violation.json"))["engines"][0]["violations"]
assert one["pattern"] == "R-W-W" and one["address"] == "0x100" and one["locations"] == 8 // 8, one
assert [one[part]["site"] for part in ("first", "intruder", "last")] == [11, 21, 12], one'
expect 0 "atomicity" heddle analyze account.txt --engine=atomicity --atomic=var:0x200+8
expect 2 "--atomic needs var:NAME" heddle analyze account.txt --engine=atomicity --atomic=0x100+8
expect 2 "'0x100' is neither" heddle analyze account.txt --engine=atomicity --atomic=var:0x100
expect 2 "no variable 'balance'" heddle analyze account.txt --engine=atomicity --atomic=var:balance
# The same in a real program, by the names of its variables.
cat >account.cpp <<'END'
#include <mutex>
#include <thread>
namespace bank {
long balance = 10, entries;
}
std::mutex mutex;
int main() {
  std::thread clerk([] {
    long seen;
    { std::lock_guard guard(mutex); seen = bank::balance; }  // line 10
    { std::lock_guard guard(mutex); bank::entries = seen; }
  });
  { std::lock_guard guard(mutex); bank::balance = 5; }
  clerk.join();
}
END
HEDDLE_CXX=g++ heddle c++ -std=c++20 -pthread account.cpp -o account
heddle record -o account.hist ./account 2>said
expect 0 "atomicity" heddle analyze account.hist --engine=atomicity --atomic=var:bank::balance,bank::entries
expect 66 "(R-W-W): between read at main::{lambda" heddle analyze account.hist --engine=atomicity --atomic=group:bank::balance,bank::entries
expect 2 "no variable 'bank::balanse'" heddle analyze account.hist --engine=atomicity --atomic=var:bank::balanse

# Damage and wrong use.
head -c $(($(stat -c %s loops.hist) * 9 / 10)) loops.hist >cut.hist
heddle analyze cut.hist --engine=zipper >said 2>&1
check "a cut history is analysed as far as it goes" grep -q "only the part before was analysed" said
expect 2 "unknown engine 'ziper'; did you mean 'zipper'?" heddle analyze clean.hist --engine=ziper
expect 2 "unknown option 'enginn'; did you mean 'engine'?" heddle analyze clean.hist --enginn=x
expect 2 "needs a history" heddle analyze
expect 2 "nowhere.hist" heddle analyze nowhere.hist
expect 2 "one history" heddle analyze clean.hist racy.txt
expect 2 "is not one of hist|std|text" heddle analyze clean.hist --format=elf
expect 0 "usage: heddle analyze" heddle analyze --help

# Graphs.
cat >simple.txt <<'END'
0 write 0x300 8 site 9
0 spawn 1
0 spawn 2
1 begin 2
1 write 0x100 8 site 11
1 end
2 begin 1
2 write 0x100 8 site 21
2 end
0 wait-children
0 read 0x300 8 site 8
END
expect 0 "digraph history {" heddle graph simple.txt --dot
expect 0 "race 1" heddle graph simple.txt
heddle graph simple.txt --json >graph.json
check "the graph as JSON" python3 -c '
import json
graph = json.load(open("graph.json"))
race, = graph["races"]
tasks = {node["node"]: node["task"] for node in graph["nodes"]}
assert {tasks[race["first"]], tasks[race["second"]]} == {1, 2}, race
assert {edge["kind"] for edge in graph["edges"]} == {"program", "fork", "join"}, graph["edges"]'
heddle graph simple.txt --json --around=1 >cut.json
check "--around is smaller, and has the race" python3 -c '
import json
graph, cut = json.load(open("graph.json")), json.load(open("cut.json"))
assert len(cut["nodes"]) < len(graph["nodes"]) and len(cut["races"]) == 1, cut
shown = {node["node"] for node in cut["nodes"]}
assert all(edge["from"] in shown and edge["to"] in shown for edge in cut["edges"])'
expect 2 "there is no race 2: the history has 1" heddle graph simple.txt --around=2
expect 2 "is not a number from 1 to" heddle graph simple.txt --around=0
expect 2 "not both" heddle graph simple.txt --dot --json
expect 0 "usage: heddle graph" heddle graph --help
if have dot; then check "graphviz reads it" dot -Tsvg -o graph.svg <(heddle graph simple.txt --dot); fi
finish
