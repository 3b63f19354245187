// What is known of the whole process, and which thread is the calling one.
#pragma once

#include "runtime/shadow/heap_map.hpp"
#include "runtime/shadow/repeats.hpp"
#include "runtime/shadow/shadow.hpp"
#include "runtime/shadow/site_patterns.hpp"
#include "runtime/state/options.hpp"
#include "runtime/state/thread_state.hpp"
#include "runtime/tables/call_stacks.hpp"
#include "runtime/tables/locksets.hpp"
#include "runtime/tables/sync_table.hpp"

namespace heddle {

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
  // How often a task has created something with one call stack is counted: with the stack and the creator's own name,
  // that tells what was created apart from all else, in every run in which the creator does the same, whatever the
  // schedule (light-weight execution indexing: Joshi, Park, Sen, Naik 2009). The published index has a count for each
  // call on the stack, which costs something at every call; one count for the whole stack distinguishes as many
  // objects, and costs something at creations only. Only with --check=deadlock, whose findings are to be found again in
  // other runs.
  bool counts_creations = false;
  bool enabled = true;          // false in a forked child, which is not analysed
  bool recording = false;       // see recorder.hpp
  bool only_annotated = false;  // see t_all_accesses
  bool names_are_known =
      true;               // of what each thread has its own of: all of the program was built with a plugin
  bool explored = false;  // see fork_server.hpp
  ThreadState* initial = nullptr;  // thread
};

extern Runtime* g_runtime;  // null before init()
extern __thread ThreadState* t_self __attribute__((tls_model("initial-exec")));
// The same for the hooks of plain accesses; but null if only accesses to annotated data matter (annotated/bounds.hpp).
extern __thread ThreadState* t_all_accesses __attribute__((tls_model("initial-exec")));
void set_self(ThreadState* thread);
// Of `x += 1`, instrumented as one access, the read matters, too: pairs are checked, now or in the history.
extern bool g_compounds_are_two;

inline Runtime& rt() { return *g_runtime; }

// The calling thread, or null when the runtime is not to be used here.
inline ThreadState* self() { return t_self; }

// Does the thread run a task of the program just now?
inline bool running(const ThreadState& thread) {
  return thread.context && thread.context->task && !thread.context->waiting;
}

}  // namespace heddle
