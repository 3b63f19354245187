#include "history/statistics.hpp"

namespace heddle::history {

using namespace event;

namespace {

template <class E>
constexpr usize index_of() {
  return Event(std::in_place_type<E>).index();
}

}  // namespace

void Statistics::add(const Access& access) {
  static const usize kIndex = index_of<Access>();
  ++events;
  ++of_kind[kIndex];
  ++(access.write ? writes : reads);
  atomic += access.atomic;
  bound += access.bound;
  accessed_bytes += access.size;
  tasks.add(access.task);
  if (access.site) sites.add(access.site);
  for (u64 granule = access.address / 8; granule <= (access.address + access.size - 1) / 8; ++granule)
    granules.add(granule);
}

void Statistics::add(const NewMemory& memory) {
  static const usize kIndex = index_of<NewMemory>();
  ++events;
  ++of_kind[kIndex];
  tasks.add(memory.task);
}

void Statistics::add(const Event& event) {
  ++events;
  ++of_kind[event.index()];
  tasks.add(task_of(event));
  std::visit(
      Handlers{
          [&](const Spawn& e) { tasks.add(e.child); },
          [&](const Begin& e) { threads.add(e.thread); },
          [&](const Fork& e) { teams.add(e.team); },
          [&](const TeamBegin& e) { threads.add(e.thread); },
          [&](const WorkBegin& e) { threads.add(e.thread); },
          [&](const Signal& e) { objects.add(e.object); },
          [&](const Await& e) { objects.add(e.object); },
          [&](const Acquire& e) { locks.add(e.lock); },
          [](const OneOf<End, JoinThread, DetachThread, WaitChildren, WaitDepend, GroupOpen, GroupClose,
                         BarrierArrive, BarrierLeave, Join, Release, Bind, Access, NewMemory> auto&) {},
      },
      event);
}

std::string_view kind_name(usize index) {
  constexpr std::string_view kNames[] = {
      "spawn",         "begin",       "end",        "join-thread",  "wait-children", "wait-depend",
      "group-open",    "group-close", "fork",       "team-begin",   "work-begin",    "barrier-arrive",
      "barrier-leave", "join",        "signal",     "await",        "acquire",       "release",
      "bind",          "access",      "new-memory", "detach-thread"};
  static_assert(std::size(kNames) == Statistics::kKinds);
  return kNames[index];
}

}  // namespace heddle::history
