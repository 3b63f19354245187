// LLVM's libomp: programs of both compilers run on it, because it reports tasks through OMPT.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::wrapper {

// The directory that holds libomp.so: the user's -L first, then LLVM's, newest first, then the system's.
std::optional<std::string> find_libomp(const std::vector<std::string>& library_directories);

// Link words for it, `-L... -lomp`.
std::vector<std::string> link_libomp(const std::vector<std::string>& library_directories);

}  // namespace heddle::wrapper
