// An atomicity violation in words: the steps, one after the other, and their result.
#pragma once

#include <string>
#include <vector>

#include "report/finding.hpp"

namespace heddle::report {

// " at app.cpp:9", or as much as is known.
std::string place_words(const Access& access);
// "mutex `m`"
std::string lock_words(const Lock& lock);

std::vector<std::string> interleaving(const Violation& violation);
std::string violation_headline(const Violation& violation);
// What would keep the intruder out.
std::string violation_hint(const Violation& violation);

}  // namespace heddle::report
