// What this frontend keeps for a task, a team and a thread. OMPT gives every parallel region and task a word of storage: it points
// here.
#pragma once

#include <omp-tools.h>

#include "runtime/runtime.hpp"

namespace heddle::openmp {

// A parallel region (or league of teams).
struct TeamState {
  order::Team* team;
  StackId created_at;
  order::SyncObject reduction;   // see reduction.cpp
};

// A task that OpenMP knows (implicit or explicit), or a piece of worksharing that we treat as one (chunk, section, single).
struct OmpTask : TaskContext {
  TeamState* team = nullptr;               // of an implicit task or team work
  order::Task* parent = nullptr;           // of an explicit task
  order::DependNode* depends = nullptr;
  Vector<order::Depend> clauses;           // for mutual exclusion (mutexinoutset) and for `taskwait depend`
  order::SyncObject fulfilled;             // detach: who fulfils the event hands over knowledge
  bool undeferred = false;                 // by the program's word, see undeferred.cpp
  bool final = false;
  bool begun = false;
  bool team_work = false;                  // chunk, section or single
  bool in_dynamic_loop = false;            // of an implicit task: chunks become team work
  u32 loops = 0;                           // worksharing loops met in this region: the same number on every thread
};

inline OmpTask* omp_task(ompt_data_t* data) { return data ? static_cast<OmpTask*>(data->ptr) : nullptr; }

// The innermost implicit task the thread is in, or null outside of parallel regions (and inside explicit tasks).
OmpTask* implicit_of(ThreadState& thread);

// Is the task that is being created undeferred because the program says so? undeferred.cpp
bool undeferred_by_clause();

// team_work.cpp
void begin_team_work(ThreadState& thread, OmpTask& implicit, TaskKind kind);
void end_team_work(ThreadState& thread);

// One function a file registers its callbacks.
void register_parallel(ompt_set_callback_t set);
void register_tasks(ompt_set_callback_t set, ompt_function_lookup_t lookup);
void register_team_work(ompt_set_callback_t set);
void register_sync(ompt_set_callback_t set);
void register_locks(ompt_set_callback_t set);
void register_dependences(ompt_set_callback_t set);

}  // namespace heddle::openmp
