// The in-target runtime: the vocabulary that frontends speak. A frontend translates its programming model into the
// calls of the headers below; it knows nothing of clocks, shadow or reports.
//
// Ground rules for all in-target code:
//  - no malloc, no pthread calls, no stdio: the program's are intercepted (memory:: and raw system calls instead), and
//    any name that is not reserved may be the program's: a variable `stat`. tests/tool/symbols_test.py has the few that
//    are used nevertheless;
//  - no C++ runtime: C programs link it too; no exceptions, no dynamic initialisers that matter, no destructors at
//    exit, as workers of OpenMP and TBB outlive main;
//  - a hook that does work holds a RuntimeScope: hooks reached from inside (signal handlers, libc) then do nothing.
#pragma once

#include "order/depends.hpp"
#include "runtime/access/memory_life.hpp"
#include "runtime/access/slow_path.hpp"
#include "runtime/races/shared_marks.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/process.hpp"
#include "runtime/sync/locks.hpp"
#include "runtime/sync/signals.hpp"
#include "runtime/threads/tasks.hpp"
#include "runtime/threads/threads.hpp"

namespace heddle {

// Called first by every hook that may be the program's first; idempotent. Attaches the calling thread as the initial
// one.
void init();

}  // namespace heddle
