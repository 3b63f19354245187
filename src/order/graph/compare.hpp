// Compares the order engine with the oracle on one history.
#pragma once

#include <optional>
#include <string>

#include "event/event.hpp"
#include "order/structure.hpp"

namespace heddle::order {

// After every event: what the event's task knows of each strand so far must be what the graph says. The first
// disagreement in words, or nothing.
std::optional<std::string> order_disagreement(Structure& structure, const event::History& history);

}  // namespace heddle::order
