// The life of memory: fresh memory has no past, freeing is an access to all of it.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle {

// A range is fresh: nothing that happened there before matters (malloc, mmap, a new stack, a recycled descriptor).
void new_memory(uptr address, usize size);
// The same when the calling thread is between two strands: its access sets will be of no use any more anyway.
void new_memory_between_strands(uptr address, usize size);
// The range is one thread's copy of something (a task reduction): accesses by one thread are ordered, whichever task
// makes them.
void bind_to_thread(uptr address, usize size);
void heap_allocated(ThreadState& thread, uptr address, usize size, uptr pc);
// The current task has asked for its thread number (race::kAsked), or named something that each thread has its own of
// (race::kNamed): what it touches from now on may be its thread's.
void claim(ThreadState& thread, u64 claims);
void heap_freed(ThreadState& thread, uptr address, uptr pc);

}  // namespace heddle
