// The event vocabulary: everything a program does that an analysis may need, as plain data.
//
// The recorder numbers tasks, teams, locks and objects. Task 0 is the initial thread and exists from the start; every
// other task is introduced by the event that creates it. Each event names its task. A History is a sequence of events
// in an order in which the program could really have executed them (see run_state.hpp for the rules).
#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "base/kinds.hpp"

namespace heddle::event {

using heddle::DependKind;
using heddle::SpawnKind;

// A depend clause.
struct Depend {
  u64 address = 0;
  DependKind kind = DependKind::kIn;
};

// One line per event: clang-format would make four of it.
// clang-format off
struct Spawn { u32 task = 0, child = 0; SpawnKind kind = SpawnKind::kTask; std::vector<Depend> depends = {}; };
struct Begin { u32 task = 0, thread = 0; };
struct End { u32 task = 0; };

struct JoinThread { u32 task = 0, child = 0; };
// Nobody will join the thread. Orders nothing.
struct DetachThread { u32 task = 0, child = 0; };
struct WaitChildren { u32 task = 0; };
struct WaitDepend { u32 task = 0; std::vector<Depend> depends = {}; };
struct GroupOpen { u32 task = 0; };
struct GroupClose { u32 task = 0; };

// A parallel region: its task is suspended from Fork to Join, its threads are tasks that begin by TeamBegin. Work is
// a piece that any thread of the team may get (a chunk, a section, a single block).
struct Fork { u32 task = 0, team = 0; };
struct TeamBegin { u32 task = 0, team = 0, thread = 0; };
struct WorkBegin { u32 task = 0, team = 0, thread = 0; };
struct BarrierArrive { u32 task = 0, team = 0; };
struct BarrierLeave { u32 task = 0, team = 0; };
struct Join { u32 task = 0, team = 0; };

// A signal joins the task's clock into the object's, or (a release store) replaces it; await joins the object's clock
// into the task's.
struct Signal { u32 task = 0, object = 0; bool replace = false; };
struct Await { u32 task = 0, object = 0; };

// `tries`: the task would not have waited for it, or not forever. `site`: as for accesses.
struct Acquire { u32 task = 0, lock = 0; bool write = true, tries = false; u32 site = 0; };
struct Release { u32 task = 0, lock = 0; bool write = true; };

// The task queried its thread number: from here on its accesses are to that thread's data.
struct Bind { u32 task = 0; };
// `site`: the place in the program, as a number of the recorder; 0 is unknown. `bound`: the memory belongs to the
// accessing thread (its thread-local storage, its copy in a reduction, its frames between chunks). Two accesses by
// tasks of one thread, each bound or made by a bound task, do not race.
struct Access { u32 task = 0; u64 address = 0; u32 size = 8; bool write = false, atomic = false; u32 site = 0; bool bound = false; };
// The bytes have a new meaning (an allocation, a new stack frame): no earlier access races with a later one. Counts
// for whole granules of eight aligned bytes, each that the range touches. The task does not matter: it may be
// suspended, or have ended.
struct NewMemory { u32 task = 0; u64 address = 0, size = 8; };
// clang-format on

using AnyEvent = std::variant<Spawn, Begin, End, JoinThread, WaitChildren, WaitDepend, GroupOpen, GroupClose,
                              Fork, TeamBegin, WorkBegin, BarrierArrive, BarrierLeave, Join, Signal, Await,
                              Acquire, Release, Bind, Access, NewMemory, DetachThread>;
// Copies and moves are compiled once, in event.cpp: those of a variant of so many types are hundreds of functions, and
// a hundred files would compile them.
struct Event : AnyEvent {
  using AnyEvent::AnyEvent;
  Event();
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(const Event& other);
  Event& operator=(Event&& other) noexcept;
  ~Event();
};
using History = std::vector<Event>;

inline u32 task_of(const Event& event) {
  return std::visit([](const auto& e) { return e.task; }, event);
}

// std::visit with one lambda per alternative: a forgotten event does not compile.
template <class... F>
struct Handlers : F... {
  using F::operator()...;
};
template <class... F>
Handlers(F...) -> Handlers<F...>;

// For one handler of several events: [](const OneOf<End, Bind> auto&) {}. They are named one by one, never "all
// others", so that the compiler finds every place that a new event needs.
template <class E, class... Events>
concept OneOf = (std::is_same_v<E, Events> || ...);

// Does the event make this byte new memory? Memory is new by whole granules of eight bytes.
inline bool renews(const Event& event, u64 byte) {
  auto* memory = std::get_if<NewMemory>(&event);
  return memory && memory->address / 8 <= byte / 8 && byte / 8 * 8 < memory->address + memory->size;
}

// A step is what a task does between two constructs that create or await tasks. (A task that begins in a team has no
// step yet.)
inline bool ends_step(const Event& event) {
  return std::visit(
      Handlers{
          [](const OneOf<Access, NewMemory, Acquire, Release, Bind, TeamBegin, WorkBegin,
                         DetachThread> auto&) { return false; },
          [](const OneOf<Spawn, Begin, End, JoinThread, WaitChildren, WaitDepend, GroupOpen, GroupClose, Fork,
                         BarrierArrive, BarrierLeave, Join, Signal, Await> auto&) { return true; }},
      event);
}

}  // namespace heddle::event
