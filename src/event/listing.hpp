// Histories for people: a listing to read, and C++ to paste into a test.
#pragma once

#include <string>

#include "event/event.hpp"

namespace heddle::event {

std::string describe(const Event& event);
std::string listing(const History& history);
std::string as_code(const History& history);

}  // namespace heddle::event
