// Gets every event of Structure: the recorder. Every call is made by the thread that runs the task, after the tasks
// and teams it names were made, and at a moment that respects the order: what can only come after is reported later.
#pragma once

#include "base/kinds.hpp"

namespace heddle::order {

struct Task;
struct Team;
class SyncObject;

class Listener {
 public:
  virtual void spawned(Task&, Task& /*child*/, SpawnKind) {}
  // A thread that could not be started: it will never begin.
  virtual void not_started(Task& /*creator*/, Task& /*thread*/) {}
  virtual void ended(Task&) {}
  virtual void joined_thread(Task&, Task& /*thread*/) {}
  virtual void waited_for_children(Task&) {}
  virtual void opened_group(Task&) {}
  virtual void closed_group(Task&) {}
  virtual void forked(Team&) {}
  virtual void began_in_team(Team&, Task&) {}
  virtual void began_team_work(Team&, Task&) {}
  virtual void arrived(Team&, Task&) {}
  // `next` continues where `before` arrived.
  virtual void left_barrier(Team&, Task& /*before*/, Task& /*next*/) {}
  virtual void joined(Team&) {}
  // With the object held: a task that awaits the publication is reported later.
  virtual void published(Task&, SyncObject&, bool /*replaces*/) {}
  virtual void awaited(Task&, SyncObject&) {}

 protected:
  ~Listener() = default;
};

}  // namespace heddle::order
