// Makes a history that shows a fault as small as it gets: takes events away, by tasks, by pairs, one by one,
// as long as what remains is a legal history and still shows the fault (delta debugging, Zeller & Hildebrandt
// 2002, with the structure of histories).
#pragma once

#include <functional>

#include "event/event.hpp"

namespace heddle::event {

History shrink(History history, const std::function<bool(const History&)>& shows_fault);

}  // namespace heddle::event
