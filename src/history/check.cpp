#include "history/check.hpp"

#include "event/listing.hpp"

namespace heddle::history {

using namespace event;

// Why the rules forbid it, as far as the state of its task shows; the rest depends on the event itself.
std::string Checker::reason(const Event& event) const {
  const u32 task = task_of(event);
  const bool introduces = std::holds_alternative<Begin>(event) || std::holds_alternative<TeamBegin>(event) ||
                          std::holds_alternative<WorkBegin>(event);
  if (!introduces && !state_.begun(task)) return "the task has not begun";
  if (state_.ended(task)) return "the task has ended";
  if (introduces && state_.begun(task)) return "the task has begun already";
  return std::visit(
      Handlers{
          [](const Spawn&) { return "the child exists already, or the task is suspended"; },
          [](const Begin&) { return "it was not spawned, or a task that it depends on has not ended"; },
          [](const End&) { return "it holds a lock, or is suspended"; },
          [](const JoinThread&) {
            return "the thread has not ended, or has been joined or detached already";
          },
          [](const DetachThread&) {
            return "there is no such thread, or it has been joined or detached already";
          },
          [](const WaitChildren&) { return "a child has not ended"; },
          [](const WaitDepend&) { return "a task that it depends on has not ended"; },
          [](const GroupClose&) { return "no group is open, or a task in it has not ended"; },
          [](const Fork&) { return "the team exists already, or the task is suspended"; },
          [](const TeamBegin&) { return "the team is not there, or has passed a barrier"; },
          [](const WorkBegin&) { return "the team is not there, or all its threads are at a barrier"; },
          [](const BarrierArrive&) { return "it does not belong to the team, or is suspended"; },
          [](const BarrierLeave&) { return "it has not arrived, or a thread or a task of the team has not"; },
          [](const Join&) { return "it has not forked the team, or a task of it has not ended"; },
          [](const Acquire&) { return "the lock is held"; },
          [](const Release&) { return "it does not hold the lock this way"; },
          [](const OneOf<GroupOpen, Signal, Await, Bind, Access, NewMemory> auto&) {
            return "the task is suspended, or waits at a barrier";
          },
      },
      event);
}

bool Checker::add_event(const Event& event) {
  if (!problem_.empty()) return false;
  if (!state_.allows(event)) {
    problem_ = "event " + std::to_string(events_) + ", \"" + describe(event) +
               "\", may not come here: " + reason(event);
    return false;
  }
  state_.apply(event);
  ++events_;
  return true;
}

std::string first_illegal_event(EventSource& source) {
  Checker checker;
  for_each_event(source, [&](const auto& event) { checker.add(event); });
  return checker.problem();
}

}  // namespace heddle::history
