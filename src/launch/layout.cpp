#include "launch/layout.hpp"

namespace heddle::launch {

Result<Layout> find_layout() {
  std::error_code error;
  const std::filesystem::path tool = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Error{"cannot find my own executable through /proc/self/exe: " + error.message()};
  return Layout{tool, tool.parent_path().parent_path() / "lib" / "heddle"};
}

}  // namespace heddle::launch
