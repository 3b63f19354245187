// The control core, as this library reaches it: through the executable's table (control/table.hpp).
#pragma once

#include "control/openmp/state.hpp"
#include "control/table.hpp"

namespace heddle::gomp {

using control::Op;

// REQUIRES: self() has been called.
const control::Table& core();

// Is the calling thread an actor? Not in a forked child, nor in threads that nobody knows: there, regions have one
// thread.
bool controlled();
// Must whatever may run in another order be an actor of its own?
bool named();
// Before the first parallel thing, whatever it is: executions may part here.
void prepare();

// Returns when `enabled` holds; others go on meanwhile.
void wait_until(bool (*enabled)(void*), void* data, const char* what);
// Something that any of several may do is done now, by this one. `politely`: others first, if they can.
void choose_to(const void* object, const char* what, bool politely = false);

// A new step: what the thread does from here on is another task's, to the tool, or others may have been waiting for
// what it did.
void cut();

[[noreturn]] void stop(const char* message);

// What OMPT has no word for (frontend/openmp/own_runtime.cpp). Memory that the program gets from this runtime: what
// happened there before does not matter; and: a thread's own copy, whichever task uses it.
void fresh_memory(const void* block, usize size);
void bind_memory(const void* block, usize size);
// The calling thread does the work of another, by the tool's number. Returns its own; 0 only asks.
u32 stand_in(u32 number);

}  // namespace heddle::gomp
