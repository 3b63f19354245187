// A deadlock in words: which task waits for which, one after the other.
#pragma once

#include <string>
#include <vector>

#include "report/finding.hpp"

namespace heddle::report {

// "task 2 holds mutex `a` and wants mutex `b` at ..., task 3 ...".
std::string deadlock_headline(const Deadlock& deadlock);
// How it comes about, step by step.
std::vector<std::string> deadlock_steps(const Deadlock& deadlock);
// What would break the cycle.
std::string deadlock_hint(const Deadlock& deadlock);

}  // namespace heddle::report
