// Checks every event of a history against the rules of event/run_state.hpp.
#pragma once

#include <string>

#include "event/run_state.hpp"
#include "history/source.hpp"

namespace heddle::history {

class Checker {
 public:
  // False at the first illegal event; problem() names it.
  template <class E>
  bool add(const E& event) {
    return add_event(event::Event(event));
  }
  const std::string& problem() const { return problem_; }
  u64 events() const { return events_; }

 private:
  bool add_event(const event::Event& event);
  std::string reason(const event::Event& event) const;

  event::RunState state_;
  u64 events_ = 0;
  std::string problem_;
};

// Empty, or what is wrong with the first illegal event.
std::string first_illegal_event(EventSource& source);

}  // namespace heddle::history
