// The in-target runtime: the one place with global state, and the vocabulary frontends speak. A frontend translates its programming
// model into the calls below; it knows nothing of clocks, shadow or reports.
//
// Ground rules for all in-target code:
//  - no malloc, no pthread calls, no stdio: the program's are intercepted (memory:: and raw system calls instead), and any name that is not
//    reserved may be the program's: a variable `stat`. tests/tool/symbols_test.py has the few that are used nevertheless;
//  - no C++ runtime: C programs link it too; no exceptions, no dynamic initialisers that matter, no destructors at exit, as
//    workers of OpenMP and TBB outlive main;
//  - a hook that does work holds a RuntimeScope: hooks reached from inside (signal handlers, libc) then do nothing.
#pragma once

#include "checker/race/race_checker.hpp"
#include "order/depend_table.hpp"
#include "runtime/shadow/heap_map.hpp"
#include "runtime/shadow/repeats.hpp"
#include "runtime/shadow/shadow.hpp"
#include "runtime/shadow/site_patterns.hpp"
#include "runtime/state/machine_stack.hpp"
#include "runtime/state/options.hpp"
#include "runtime/state/thread_state.hpp"
#include "runtime/tables/call_stacks.hpp"
#include "runtime/tables/creation_counts.hpp"
#include "runtime/tables/locksets.hpp"
#include "runtime/tables/sync_table.hpp"

namespace heddle {

// A frontend's word for a task, for reports (Task::kind).
enum class TaskKind : u8 {
  kInitialThread,
  kThread,
  kImplicitTask,
  kExplicitTask,
  kLoopChunk,
  kSection,
  kSingle,
  kTaskloopTask,
  kInitialTeamTask,
  kTargetTask,
  kAsync,
  kFuture,
  kForallIteration,
  kForallGroup,
  kForasyncIteration,
  kForasyncGroup,
  kPosted,
  kTbbTask,
  kTbbFor,
  kTbbForEach,
  kTbbReduce,
  kTbbScan,
  kTbbInvoke,
  kTbbSort,
  kTbbPipeline,
  kTbbEnqueued,
  kTbbFlow
};
const char* name(TaskKind kind);

struct Runtime {
  Options options;
  order::Structure order;
  Shadow shadow;
  CallStacks stacks;
  SitePatterns patterns;
  Repeats repeats;
  Locksets locksets;
  SyncTable syncs;
  HeapMap heap{shadow};
  std::atomic<u32> threads{0};
  CreationCounts* creations = nullptr;  // null: nobody asks
  bool enabled = true;                  // false in a forked child, which is not analysed
  bool recording = false;               // see recorder.hpp
  bool only_annotated = false;          // see t_all_accesses
  bool names_are_told =
      true;               // of what each thread has its own of: all of the program was built with a plugin
  bool explored = false;  // see fork_server.hpp
  ThreadState* initial = nullptr;  // thread
};

extern Runtime* g_runtime;  // null before init()
extern __thread ThreadState* t_self __attribute__((tls_model("initial-exec")));
// The same for the hooks of plain accesses; but null if only accesses to annotated data matter (may_be_meant.hpp).
extern __thread ThreadState* t_all_accesses __attribute__((tls_model("initial-exec")));
void set_self(ThreadState* thread);
// Of `x += 1`, told as one access, the read matters, too: pairs are looked for, now or in the history.
extern bool g_compounds_are_two;

// Called first by every hook that may be the program's first; idempotent. Attaches the calling thread as the initial one.
void init();

inline Runtime& rt() { return *g_runtime; }

// The calling thread, or null when the runtime is not to be used here.
inline ThreadState* self() { return t_self; }

// Does the thread run a task of the program just now?
inline bool running(const ThreadState& thread) {
  return thread.context && thread.context->task && !thread.context->waiting;
}

// Judges the first touches that the current strand has made so far. REQUIRED before anything that ends the strand or changes what
// it knows or holds; a RuntimeScope does it.
void judge_pending(ThreadState& thread);
// Those to this range only.
void judge_pending(ThreadState& thread, uptr begin, uptr end);
// The current task ends, and with it the life of this memory (its frames, its descriptor): what its last strand did there need neither be
// judged nor remembered where nobody else has been. REQUIRES: the memory is forgotten before anything else runs.
void drop_pending(ThreadState& thread, uptr begin, uptr end);

// Set by a frontend that can: makes the other threads judge what they have pending, as far as they can be reached.
extern void (*before_the_end)();

// After anything that changed the current task or strand: new strand word, new stamp, active again if it should be.
void refresh(ThreadState& thread);

// Makes hooks that are reached from inside the runtime do nothing, and puts the strand right at the end.
class RuntimeScope {
 public:
  explicit RuntimeScope(ThreadState& thread) : thread_(thread) {
    ++thread.inside;
    thread.active = false;
    // A signal handler between the two would touch what is not judged any more.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (thread.sets.dirty_count) judge_pending(thread);
  }
  ~RuntimeScope() {
    --thread_.inside;
    refresh(thread_);
  }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  ThreadState& thread_;
};

// --- threads and tasks -----------------------------------------------------------------------------------------------

// Attaches the calling OS thread; `task` may be null (a worker of a runtime system waiting for its first task). A stack that is not told is
// looked for.
ThreadState* attach_thread(order::Task* task, MachineStack stack = {});
// What attaching a recorded thread needs once, if it is not there yet.
void prepare_recorded_threads();
// The thread is about to end: its stack's shadow is cleared, its state freed.
void detach_thread(ThreadState& thread);

// A task record; created_at is the caller's stack.
void describe(order::Task& task, TaskKind kind, StackId created_at);
// Starts / ends running a task on this thread, on top of what it runs now. The stack below the innermost call of the program is
// new memory then.
void enter_task(ThreadState& thread, TaskContext& context);
void leave_task(ThreadState& thread);
// The same inside of calls of the task, which return before anything else of the program begins here: a part of an
// untied task has put the next part into a queue. What their frames leave behind is forgotten before the next call, or
// the next task.
void leave_before_return(ThreadState& thread);
void forget_returned_frames(ThreadState& thread);
// Before the RuntimeScope in which the current task ends and is left: see drop_pending.
void drop_pending_in_frames(ThreadState& thread);

// --- synchronisation -------------------------------------------------------------------------------------------------

// What is kept for an address that synchronises, made if there is none; or null if there is none. From the thread's cache, most often.
Sync& sync_at(ThreadState& thread, uptr address, SyncTable::Space space);
Sync* find_sync(ThreadState& thread, uptr address, SyncTable::Space space);
void publish(ThreadState& thread, uptr address, SyncTable::Space space, bool replace = false);
void await(ThreadState& thread, uptr address, SyncTable::Space space);
// Would it learn anything there? If not, the strand goes on as it is, and what is pending need not be judged.
bool has_news(ThreadState& thread, uptr address, SyncTable::Space space);
// The same for a lock that orders like a signal, and whose readers are not ordered among each other: what they publish is for writers.
void publish_as(ThreadState& thread, uptr address, order::Mode mode);
void await_as(ThreadState& thread, uptr address, order::Mode mode);
bool has_news_as(ThreadState& thread, uptr address, order::Mode mode);
// A fence: knowledge that earlier relaxed loads saw is taken, knowledge for later relaxed stores is set aside.
void fence(ThreadState& thread, bool acquires, bool releases);
void acquire_lock(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, How how);
void release_lock(ThreadState& thread, uptr address, order::Mode mode);
// Whichever mode it is held in (rwlock unlock). Does nothing when it is not held.
void release_lock(ThreadState& thread, uptr address);
// In an exploration: what one task of the thread holds, another one holds from now on. An undeferred task runs under its parent's locks,
// and the parent has what it did not give back.
void pass_locks_on(ThreadState& thread, TaskContext& from, TaskContext& to);
// The task is one of those that a single thread runs, in any order but never two at the same time. In locksets that
// is a lock; but nothing is handed over from turn to turn, and nobody waits. kRead: what members of a team do that
// one of them has forked, at the same time as each other.
void take_turns(ThreadState& thread, TaskContext& context, Turns turns);
// How often the current task holds the lock.
u32 times_held(ThreadState& thread, uptr address);

// --- memory ----------------------------------------------------------------------------------------------------------

// A range is fresh: nothing that happened there before matters (malloc, mmap, a new stack, a recycled descriptor).
void new_memory(uptr address, usize size);
// The same when the calling thread is between two strands: its access sets will be of no use any more anyway.
void new_memory_between_strands(uptr address, usize size);
// The range is one thread's copy of something (a task reduction): accesses by one thread are ordered, whichever task makes them.
void bind_to_thread(uptr address, usize size);
void heap_allocated(ThreadState& thread, uptr address, usize size, uptr pc);
// The current task has asked for its thread number (race::kAsked), or named something that each thread has its own of (race::kNamed): what it
// touches from now on may be its thread's.
void claim(ThreadState& thread, u64 claims);
void heap_freed(ThreadState& thread, uptr address, uptr pc);

// --- accesses --------------------------------------------------------------------------------------------------------

// The parts of an access that are not the fast path: plain and aligned, of 4, 8 or 16 bytes; anything else inside one granule.
void first_touch(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
void access_bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);
// Any range; pc is the call's return address.
void access_range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc);

StackId current_stack(ThreadState& thread, uptr pc);

// The same, in a few instructions, when the function has asked before: the cache of sites has the answer.
HEDDLE_INLINE StackId current_site(ThreadState& thread, uptr pc) {
  if (HEDDLE_UNLIKELY(thread.top <= thread.frames + thread.context->stack_base))
    return current_stack(thread, pc);
  StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& known = thread.known_site(caller, pc);
  return HEDDLE_LIKELY(caller && known.pc == pc && known.caller == caller) ? known.site
                                                                           : current_stack(thread, pc);
}

}  // namespace heddle
