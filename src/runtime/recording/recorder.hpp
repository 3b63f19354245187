// Recording: what the program does becomes records (history/channel/record.hpp) in blocks that the tool takes
// (history/channel/channel.hpp). On when `heddle record` started the program. Then accesses are not checked: the fast
// path of an access always misses, and the slow one ends here.
//
// Every thread has a stream. Events of the order reach the recorder through order::Listener; what only the runtime and
// the frontends know is passed to the functions below, which do nothing when the thread has no stream.
//
// In an exploration the records are cut into steps (explore/execution.hpp): a new step begins before an access that
// follows a hand-over, and before an acquire that follows an access.
//
// Atomic operations hand over exactly what an object carried at that moment. What fences delay has no object and no
// task: a relaxed load is remembered for a later acquire fence, a release fence for later relaxed stores. For either, a
// thread-like task of its own stands in the history, which awaits and signals what its creator may not yet, or not any
// more.
#pragma once

#include "order/depend_table.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::history {
struct Channel;
}

namespace heddle::recorder {

// Attaches to the tool's channel, if there is one. False: this is not a recorded run.
bool open();
// The same for an execution of an exploration: a channel that is mapped already, and records that are cut into steps.
void open(history::Channel* channel);
// What is the same in all executions, before they part.
void prepare();
// Whoever steers executions looks at their schedules only.
void leave_out_accesses();
// What follows in the calling thread's stream belongs to step `number - 1`.
void mark_step(u32 number);
// Is anything recorded?
bool on();
// What the order is to tell.
order::Listener* listener();

// For ThreadState::stream, by the thread itself; null when nothing is recorded.
Stream* start(const ThreadState& thread);
void finish(Stream* stream);

// --- what the order does not know; all do nothing without a stream ---------------------------------------------------

void record_begin(ThreadState& thread, order::Task& task);
void record_detached(ThreadState& thread, const order::Task& child);
void record_acquired(ThreadState& thread, u32 lock, bool write, How how);
void record_released(ThreadState& thread, u32 lock, bool write);
void record_depends(ThreadState& thread, order::Task& child, const order::Depend* depends, u32 count);
void record_wait_depend(ThreadState& thread, order::Task& task, const order::Depend* depends, u32 count);
void record_new_memory(ThreadState& thread, uptr address, usize size);
void record_order(ThreadState& thread);
void record_free(ThreadState& thread, uptr address, usize size, uptr pc);
void note_own_block(ThreadState& thread, uptr address, usize size);
void note_bound_memory();
// Of an atomic variable, which the caller holds: it was read, and acquired or not; it was written (`replaces` what it
// carried).
void record_seen(ThreadState& thread, order::SyncObject* object, bool acquires);
void record_written(ThreadState& thread, order::SyncObject& object, bool releases, bool replaces);
void record_fence(ThreadState& thread, bool acquires, bool releases);

inline void begun(ThreadState& thread, order::Task& task) {
  if (thread.stream) record_begin(thread, task);
}
inline void detached(ThreadState& thread, const order::Task& child) {
  if (thread.stream) record_detached(thread, child);
}
inline void acquired(ThreadState& thread, u32 lock, bool write, How how) {
  if (thread.stream) record_acquired(thread, lock, write, how);
}
inline void released(ThreadState& thread, u32 lock, bool write) {
  if (thread.stream) record_released(thread, lock, write);
}
// The spawn of the next child is held back until its clauses come.
void expect_depends(ThreadState& thread);
inline void depends(ThreadState& thread, order::Task& child, const order::Depend* depends, u32 count) {
  if (thread.stream) record_depends(thread, child, depends, count);
}
inline void waited_for_depends(ThreadState& thread, order::Task& task, const order::Depend* depends,
                               u32 count) {
  if (thread.stream) record_wait_depend(thread, task, depends, count);
}
inline void new_memory(ThreadState& thread, uptr address, usize size) {
  if (thread.stream) record_new_memory(thread, address, size);
}
// A task that ran elsewhere before goes on here.
inline void moved_here(ThreadState& thread) {
  if (thread.stream) record_order(thread);
}
// `object` is null for a variable that carries nothing.
inline void seen(ThreadState& thread, order::SyncObject* object, bool acquires) {
  if (HEDDLE_UNLIKELY(thread.stream != nullptr)) record_seen(thread, object, acquires);
}
inline void written(ThreadState& thread, order::SyncObject& object, bool releases, bool replaces) {
  if (HEDDLE_UNLIKELY(thread.stream != nullptr)) record_written(thread, object, releases, replaces);
}
inline void fence(ThreadState& thread, bool acquires, bool releases) {
  if (thread.stream) record_fence(thread, acquires, releases);
}

// --- accesses --------------------------------------------------------------------------------------------------------

// REQUIRES: thread.active, thread.stream.
void access(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);

}  // namespace heddle::recorder
