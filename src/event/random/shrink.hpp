// Shrinks a history that shows a fault: removes events, by tasks, by pairs, one by one, while the rest is a legal
// history and still shows the fault (delta debugging, Zeller & Hildebrandt 2002, with the structure of histories).
#pragma once

#include <functional>

#include "event/event.hpp"

namespace heddle::event {

History shrink(History history, const std::function<bool(const History&)>& shows_fault);

}  // namespace heddle::event
