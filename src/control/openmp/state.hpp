// The state of teams, their members and tasks. The baton guards all of it (control/control.hpp): exactly one logical
// thread runs, so nothing here is atomic.
//
// A *member* is a thread of a team while the parallel region lasts. Members of a team are actors; the forker stays
// the actor it was. Outside of parallel regions a thread is the only member of its own team.
//
// A deferred explicit task waits in queues until a member that must wait for it anyway runs it on its own stack.
#pragma once

#include <omp-tools.h>

#include "base/hash_map.hpp"
#include "base/memory.hpp"
#include "base/vector.hpp"
#include "control/openmp/environment.hpp"

namespace heddle::gomp {

struct Task;
struct Team;
struct Member;
struct Workshare;
struct DependTable;
struct Pool;

// --- tasks ----------------------------------------------------------------------------------------------------------

// Tasks that could begin, by priority, then in the order of creation. A task is in three of them at once.
enum class Link : u8 { kTeam, kParent, kGroup };
struct Queue {
  Task* first = nullptr;
  Task* last = nullptr;
};

// A taskgroup, or its equivalent in a region with task reductions.
struct Group {
  Queue ready;
  Group* outer = nullptr;
  Group* cancels =
      nullptr;  // the group that `cancel taskgroup` means: this one, unless a worksharing construct made it
  u32 unfinished = 0;
  bool cancelled = false;
  uptr* reductions = nullptr;  // GCC's description, the innermost first: reductions.cpp
};

struct Task {
  ompt_data_t tool{};
  Task* parent = nullptr;
  Team* team = nullptr;
  Group* group = nullptr;       // the innermost around its current code
  Group* belongs_to = nullptr;  // the innermost around its creation
  Settings settings;
  u32 references = 1;  // by its children, by depend clauses, and its own until it is complete
  u32 unfinished_children = 0;
  bool has_clauses = false;  // of depend
  u32 predecessors = 0;      // that have not completed
  int priority = 0;
  bool implicit = false;
  bool final = false;
  bool undeferred = false;
  bool detachable = false;
  bool fulfilled = false;
  bool body_done = false;
  bool complete = false;
  bool target = false;
  bool is_actor = false;  // runs on a thread of its own, when it is chosen
  Vector<Task*> successors;
  u64 seen = 0;                    // by the last search of them: comes_before()
  Vector<uptr> exclusive;          // addresses of mutexinoutset clauses, ascending
  DependTable* depends = nullptr;  // clauses of its children
  Queue ready_children;
  struct {
    Task* previous = nullptr;
    Task* next = nullptr;
  } links[3];
  Member* creator = nullptr;
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
  void* block = nullptr;  // the copy of its data
  usize block_size = 0;
};

// --- teams ----------------------------------------------------------------------------------------------------------

struct Member {
  Team* team = nullptr;
  u32 number = 0;
  u32 tool_number = 0;      // the tool's, of the thread
  Member* outer = nullptr;  // the member that the thread was before
  Task implicit;
  Group region_group;  // of `parallel reduction(task, ...)`
  u64 constructs = 0;  // worksharing constructs encountered so far: equal for all members
  Workshare* share = nullptr;
  // In the worksharing loop: the number of its current chunk, from 0, and how many chunks it has had.
  u64 chunk = 0;
  u64 chunks_had = 0;
  bool has_chunk = false;
  bool in_work = false;  // the begin of a loop was reported to the tool, its end was not
};

struct Team {
  u32 size = 1;
  u32 level = 0, active_level = 0;
  Member* forker = nullptr;  // null: an initial thread's
  ompt_data_t tool{};
  Vector<Member*> members;
  HashMap<Workshare*> shares;  // by the construct's number
  u64 phase = 0;               // barriers passed
  u32 arrived = 0;
  u32 gone = 0;  // members, other than the forker, that have left the region
  u32 unfinished_tasks = 0;
  Queue ready;
  // Its tasks, if they are actors, run one at a time, and there are some: turns.cpp.
  bool may_take_turns = false;
  bool takes_turns = false;
  bool cancelled = false;
  bool league = false;
  u32 league_size = 1, league_number = 0;  // of the teams construct it is inside of
  void* copyprivate = nullptr;
};

// --- threads --------------------------------------------------------------------------------------------------------

// An operating-system thread known to OpenMP.
struct Thread {
  ompt_data_t tool{};
  Member* member = nullptr;
  Task* task = nullptr;
  Pool* pool = nullptr;  // the threads of teams that it forks
  u32 depth = 0;         // of regions that it has forked and not joined
};

// The calling thread; starts the runtime and registers the thread on first use.
Thread& self();

inline void retain(Task* task) { ++task->references; }
void release(Task* task);

}  // namespace heddle::gomp

#define HEDDLE_GOMP_ENTRY extern "C" __attribute__((visibility("default")))
