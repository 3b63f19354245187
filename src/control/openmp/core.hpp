// Access to the control core from this library: through the executable's table (control/table.hpp).
#pragma once

#include "control/openmp/state.hpp"
#include "control/table.hpp"

namespace heddle::gomp {

using control::Op;

// REQUIRES: self() has been called.
const control::Table& core();

// Is the calling thread an actor? Not in a forked child, nor in threads unknown to the runtime: there, regions have
// one thread.
bool controlled();
// Must everything that may run in another order be an actor?
bool named();
// Before the first parallel construct: executions may differ from here on.
void prepare();

// Returns when `enabled` holds; others run meanwhile.
void wait_until(bool (*enabled)(void*), void* data, const char* what);
// Marks that this actor now does what any of several could do. `politely`: others first, if enabled.
void choose_to(const void* object, const char* what, bool politely = false);

// A new step: what follows belongs to another task, for the tool, or others may have waited for what was done.
void cut();

[[noreturn]] void stop(const char* message);

// Events that OMPT lacks (frontend/openmp/own_runtime.cpp). New memory from this runtime: earlier accesses do not
// count. And: a thread's own copy, whichever task uses it.
void fresh_memory(const void* block, usize size);
void bind_memory(const void* block, usize size);
// The calling thread does the work of another, by the tool's number. Returns its own; 0 only queries.
u32 stand_in(u32 number);

}  // namespace heddle::gomp
