// This frontend's state of a task, a team and a thread. OMPT gives every parallel region and task a word of storage,
// which points here.
#pragma once

#include <omp-tools.h>

#include "control/table.hpp"
#include "runtime/runtime.hpp"

namespace heddle::openmp {

// A parallel region (or league of teams).
struct TeamState {
  order::Team* team;
  StackId created_at;
  order::SyncObject reduction;  // see sync.cpp
  bool sections = false;        // GCC's `parallel sections`, see team_work.cpp
  bool entered = false;         // by the thread that forked it
  uptr forked_in = 0;           // the frame in which that thread entered the runtime: the body's are below it
  Turns turns;                  // of its members, see one_thread.cpp
  Vector<order::SyncObject*> ends;  // see OmpTask::ends: tasks may outlive the members
};

// The program's part of a task's memory: libomp recycles it.
struct TaskMemory {
  uptr address = 0;
  usize size = 0;
};

// A task of OpenMP (implicit or explicit), or a piece of worksharing that is treated as one (chunk, section, single).
struct OmpTask : TaskContext {
  TeamState* team = nullptr;      // of an implicit task or team work
  order::Task* parent = nullptr;  // of an explicit task
  order::DependNode* depends = nullptr;
  Vector<order::Depend> clauses;  // for mutual exclusion (mutexinoutset) and for `taskwait depend`
  order::SyncObject fulfilled;    // detach: fulfilling the event releases
  // Of an implicit task: the children that its singles, sections and chunks have left since the last barrier. Null:
  // here a taskgroup began, which is still open.
  Vector<order::Scope*> left;
  // In an exploration, where children of an implicit task publish their ends: for its taskwaits, and for its innermost
  // taskgroup. Both belong to the team.
  order::SyncObject* ends = nullptr;
  order::SyncObject* group_ends = nullptr;
  Vector<order::SyncObject*> outer_groups;  // of an implicit task: `group_ends` of the taskgroups around
  bool undeferred = false;                  // by a clause, see task_entry.cpp
  bool included = false;                    // undeferred, and part of its parent: `task` is the parent's
  order::Structure::Included outer_children = {};
  bool final = false;
  bool begun = false;
  bool leaves_region = false;    // of an implicit task: waiting at the last barrier
  bool team_work = false;        // chunk, section or single
  bool in_dynamic_loop = false;  // of an implicit task: chunks become team work
  bool in_sections = false;      // the dynamic loop is GCC's way to write sections
  StackId work_site = 0;         // of an implicit task: where the worksharing construct is
  TaskMemory memory;             // size 0: ask OMPT
  u32 loops = 0;                 // worksharing loops encountered in this region: equal on every thread
};

inline OmpTask* omp_task(ompt_data_t* data) { return data ? static_cast<OmpTask*>(data->ptr) : nullptr; }

// Where tasks of the team can publish their ends.
order::SyncObject* make_ends(TeamState& team);

// The innermost implicit task of the thread, or null outside of parallel regions (and inside explicit tasks).
OmpTask* implicit_of(ThreadState& thread);

// Of the task that is being created, task_entry.cpp: is it undeferred by a clause, does it belong to a taskloop,
// where in the program is it created, and where is its memory?
bool undeferred_by_clause();
bool made_by_taskloop();
uptr creation_pc(const void* pc);
// Of the task that begins: where the program asked for it, if it then calls the body itself; else 0.
uptr called_by_program_at();
TaskMemory allocated_for(const ompt_data_t* data);

// one_thread.cpp: the turns of a task that the current one creates, and of the members of a team that it forks.
Turns turns_of_task(ThreadState& thread, int flags);
Turns turns_of_team(ThreadState& thread);
// A recorded run records turns as those of a lock.
void record_turn(ThreadState& thread, TaskContext* context);
void record_end_of_turn(ThreadState& thread, TaskContext* context);

// Reports name the lock of a critical construct after the construct: critical.cpp
void name_critical(uptr lock);

// locks.cpp: called by the callbacks, and by early_release.cpp before them.
void mutex_acquired(ThreadState& thread, ompt_mutex_t kind, uptr id, How how);
using control::t_asks_at;
void mutex_released(ThreadState& thread, ompt_mutex_t kind, uptr id);
void note_held(ompt_mutex_t kind, uptr id);
void note_released(uptr id);
bool confirms_early_release(uptr id);

// team_work.cpp
bool begins_sections();
void begin_team_work(ThreadState& thread, OmpTask& implicit, TaskKind kind, StackId site);
void end_team_work(ThreadState& thread);

// One function per file registers its callbacks.
void register_parallel(ompt_set_callback_t set);
void register_tasks(ompt_set_callback_t set, ompt_function_lookup_t lookup);
void register_team_work(ompt_set_callback_t set);
void register_sync(ompt_set_callback_t set);
void register_locks(ompt_set_callback_t set);
void register_dependences(ompt_set_callback_t set);

}  // namespace heddle::openmp
