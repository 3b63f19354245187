#!/bin/bash
# Every example does what its comment says: the exit code and the summary line, unchanged and fixed.
source "$(dirname "$0")/../tool/lib.sh" "$1"
examples=$(cd "$here/../../examples" && pwd)

# example NAME CODE TEXT [FLAGS]: builds with both compilers and runs.
example() {
  local compiler
  for compiler in heddle-g++ heddle-clang++; do
    check "$1 ${4:-} builds with $compiler" $compiler -O2 -fopenmp -pthread ${4:-} "$examples/$1.cpp" -o program
    expect "$2" "$3" heddle run ./program
  done
}

example race 66 "1 certain race, 0 predicted"
example race 0 "no races or potential deadlocks found" -DFIXED
example 1-grandchild 66 "1 certain race, 0 predicted"
OMP_NUM_THREADS=1 example 1-grandchild 66 "1 certain race, 0 predicted"
example 1-grandchild 0 "no races or potential deadlocks found" -DFIXED
example 2-threads 66 "1 certain race, 0 predicted"
example 2-threads 0 "no races or potential deadlocks found" -DFIXED
example 3-predicted 0 "0 certain races, 1 predicted"
example 3-predicted 0 "0 certain races, 1 predicted" -DCARELESS
example 4-depend 66 "1 certain race, 0 predicted"
example 4-depend 0 "no races or potential deadlocks found" -DFIXED
example 5-async 66 "1 certain race, 0 predicted" -std=c++20
example 5-async 0 "no races or potential deadlocks found" "-std=c++20 -DFIXED"
example 6-isolated 66 "certain race" -std=c++20
example 6-isolated 0 "no races or potential deadlocks found" "-std=c++20 -DFIXED"

# Every file of the folder is tested here.
for file in "$examples"/*.cpp; do
  grep -q "^example $(basename "$file" .cpp) " "$here/../examples/examples_test.sh" || fail "$(basename "$file") is not tested"
done
finish
