#include "history/source.hpp"

namespace heddle::history {

event::History read_all(EventSource& source) {
  event::History history;
  for_each_event(source, [&](const auto& event) { history.push_back(event); });
  return history;
}

}  // namespace heddle::history
