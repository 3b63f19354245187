// Finds a program as execvp would.
#pragma once

#include <string>

namespace heddle::launch {

// The full path; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace heddle::launch
