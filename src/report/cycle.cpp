#include "report/cycle.hpp"

#include "report/interleaving.hpp"
#include "report/stacks.hpp"

namespace heddle::report {
namespace {

std::string place(const Acquisition& acquisition) {
  const Frame* frame = acquisition.stack.user_frame();
  if (!frame) return "";
  if (frame->line > 0) return " at " + short_place(*frame);
  return frame->function.empty() ? "" : " in " + frame->function;
}

std::string words(const Acquisition& acquisition) {
  return lock_words(acquisition.lock) + (acquisition.lock.mode == "read" ? " (for reading)" : "");
}

std::string task_words(const Deadlock::Edge& edge) { return "task " + std::to_string(edge.task); }

}  // namespace

std::string deadlock_headline(const Deadlock& deadlock) {
  std::string text;
  for (const Deadlock::Edge& edge : deadlock.edges)
    text += (text.empty() ? "" : "; ") + words(edge.wants) + " is acquired" + place(edge.wants) + " while " +
            words(edge.holds[edge.held_for]) + " is held";
  return text;
}

std::vector<std::string> deadlock_steps(const Deadlock& deadlock) {
  std::vector<std::string> steps;
  for (const Deadlock::Edge& edge : deadlock.edges) {
    const Acquisition& held = edge.holds[edge.held_for];
    steps.push_back(task_words(edge) + " acquires " + words(held) + place(held));
  }
  for (std::size_t i = 0; i < deadlock.edges.size(); ++i) {
    const Deadlock::Edge& edge = deadlock.edges[i];
    const Deadlock::Edge& next = deadlock.edges[(i + 1) % deadlock.edges.size()];
    steps.push_back(task_words(edge) + " waits for " + words(edge.wants) + place(edge.wants) + ", which " +
                    task_words(next) + " holds");
  }
  steps.emplace_back("so all of them are blocked");
  return steps;
}

std::string deadlock_hint(const Deadlock& deadlock) {
  for (const Deadlock::Edge& edge : deadlock.edges)
    for (const Deadlock::Edge& other : deadlock.edges)
      for (const Acquisition& held : edge.holds)
        for (const Acquisition& also : other.holds)
          if (&edge != &other && held.lock.id == also.lock.id)
            return words(held) +
                   " is held by more than one of them, for reading only: it does not exclude them";
  return "acquire these locks in one order everywhere, or all of them at once (std::scoped_lock)";
}

}  // namespace heddle::report
