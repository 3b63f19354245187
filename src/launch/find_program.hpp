// Where a program is, as execvp would find it.
#pragma once

#include <string>

namespace heddle::launch {

// The full path; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace heddle::launch
