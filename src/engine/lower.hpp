// Lowers the event vocabulary to the core of engine/core.hpp. order/graph/computation_graph.cpp defines the meaning
// of each event; this is the same in forks, joins and signals, with memory proportional to the live tasks.
//
//   spawn, team thread, work      fork by the parent (work and threads of a team also await the team's last barrier)
//   undeferred task               fork; join at its end
//   taskwait                      join of each child
//   end of a group, of a team     join of everything inside that is not joined yet
//   barrier                       all signal one object, all await it; the first to leave joins the explicit tasks on
//                                 behalf of all
//   depend clauses                a task signals its own object at its end; successors await it when they begin
//   spawn beside                  fork by the creator, joined with the creator
//   Bind, bound accesses          the access names the thread that it belongs to
//   nested acquisitions           only the outermost counts
//
// Cost: O(1) per event, except joins (one per task) and depend clauses (one per predecessor).
#pragma once

#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "base/hash_map.hpp"
#include "engine/core.hpp"
#include "event/event.hpp"
#include "history/channel/record.hpp"

namespace heddle::engine {

// The input is no history: an event names something that no earlier event introduced. Files may contain anything.
struct NoHistory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Lowering {
 public:
  explicit Lowering(Sink& sink);
  ~Lowering();

  // Throws NoHistory, as find() does.
  void add(const event::Event& event);

  // For callers that deliver accesses and new memory themselves.
  TaskIndex find(u32 number) { return HEDDLE_LIKELY(number == last_number_) ? last_index_ : look_up(number); }
  // The same, or the initial task for one that has been joined: it may still report new memory, and its task does not
  // matter there.
  TaskIndex find_or_initial(u32 number) {
    return number == last_number_ || index_of_.find(number) ? find(number) : 0;
  }
  Access access_of(TaskIndex task, const history::Record& record) const {
    const Place& place = places_[task];
    bool bound = place.bound || (record.flags & history::kBoundFlag);
    return {record.address,
            record.size,
            (record.flags & history::kWriteFlag) != 0,
            (record.flags & history::kAtomicFlag) != 0,
            record.a,
            bound ? place.thread + 1 : 0};
  }
  void new_memory(TaskIndex task, u64 address, u64 size);

  u32 number_of(TaskIndex task) const { return tasks_[task].number; }

 private:
  static constexpr u32 kNone = ~u32{0};

  // A task, by a number that may have been reused since.
  struct Ref {
    TaskIndex index = kNone;
    u32 generation = 0;
  };
  struct Held {
    u32 lock, depth;
    bool write;
  };
  struct DependTable;
  struct Task {
    u32 number = 0, generation = 0;
    Ref parent = {};
    u32 region = kNone;  // the innermost that joins it
    bool undeferred = false;
    std::vector<u32> groups;    // regions it has opened
    std::vector<Ref> children;  // that its taskwait joins
    std::vector<Held> held;
    ObjectIndex at_end = kNone;             // awaited by successors
    std::vector<ObjectIndex> predecessors;  // to await when it begins
    std::unique_ptr<DependTable> depends;   // of its children
  };
  // The task of an access's thread, kept apart because each access needs it.
  struct Place {
    u32 thread = 1;
    bool bound = false;
  };
  // A group or a team: it joins everything inside.
  struct Region {
    u32 outer = kNone;
    u32 joined_by = kNone;  // joins instead, if its owner ended without closing it
    bool abandoned = false;
    std::vector<Ref> pending;
    usize compact_at = 64;
  };
  struct Team {
    TaskIndex parent = 0;
    u32 region = kNone;
    std::vector<TaskIndex> threads;
    ObjectIndex barrier[2] = {kNone,
                              kNone};  // by turns: the last leave one while the first arrive at the next
    u32 phase = 0;                     // barriers that some thread has left
    u32 arrived = 0, to_leave = 0;
  };

  TaskIndex look_up(u32 number);
  Team& team_of(u32 number);
  TaskIndex make(u32 number, Ref parent, u32 region);
  Ref ref(TaskIndex task) const { return {task, tasks_[task].generation}; }
  void retire(TaskIndex index);
  void join(TaskIndex task, TaskIndex child);
  void join_all(TaskIndex task, std::vector<Ref>& refs);
  bool is_live(const Ref& known) const {
    return known.index != kNone && tasks_[known.index].generation == known.generation;
  }
  u32 region_of_children(const Task& task) const {
    return task.groups.empty() ? task.region : task.groups.back();
  }
  u32 resolve(u32 region);
  u32 open_region(u32 outer);
  void close_region(u32 region);
  void add_child(TaskIndex parent, TaskIndex child);
  void enter(u32 region, TaskIndex task);
  ObjectIndex new_object();
  void forget(ObjectIndex object);
  ObjectIndex object_of(u32 number);
  void hold(ObjectIndex object) { ++references_[object]; }
  void let_go(ObjectIndex object);
  void team_begins(u32 number, u32 team, u32 thread, bool is_thread);
  void leave_barrier(TaskIndex task, Team& team);
  void depend(TaskIndex parent, TaskIndex child, const std::vector<event::Depend>& depends);
  void wait_depend(TaskIndex task, const std::vector<event::Depend>& depends);

  Sink& sink_;
  std::vector<Task> tasks_;
  std::vector<Place> places_;  // by task
  std::vector<TaskIndex> free_tasks_;
  HashMap<u32> index_of_;  // by the number that the history uses
  u32 last_number_ = 0;
  TaskIndex last_index_ = 0;

  std::vector<Region> regions_;
  std::vector<u32> free_regions_;
  std::unordered_map<u32, Team> teams_;
  std::vector<u32> references_;  // by object: how many successors and tables name it
  std::vector<ObjectIndex> free_objects_;
  HashMap<ObjectIndex> object_of_;
};

}  // namespace heddle::engine
