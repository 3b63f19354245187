// The operating-system threads of teams. A thread that forks regions keeps its workers: member n of its teams, at one
// depth of nesting, is always the same thread, as threadprivate variables require. Between regions a worker sleeps
// and is not an actor.
#pragma once

#include "control/openmp/core.hpp"

namespace heddle::gomp {

// Called by a thread that the program created, at its end: its workers end, too.
void end_workers(Thread& thread);

// Makes members 1.. of the team actors, and assigns each to its thread, which then runs `body(member)`. REQUIRES: the
// caller is the forker, and controlled().
void start_members(Thread& forker, Team& team, void (*body)(Thread& thread, Member& member));

// A task that is an actor: when it is first chosen, an idle thread runs `body(thread, task)`.
void start_task_actor(control::Actor* actor, Task* task, void (*body)(Thread& thread, Task& task));

}  // namespace heddle::gomp
