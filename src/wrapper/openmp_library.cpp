#include "wrapper/openmp_library.hpp"

#include <filesystem>

namespace heddle::wrapper {

std::optional<std::string> find_libomp(const std::vector<std::string>& library_directories) {
  std::vector<std::string> places = library_directories;
  // 19 is the tested version; older ones lack callbacks that the OpenMP frontend needs.
  for (int version = 21; version >= 17; --version)
    places.push_back("/usr/lib/llvm-" + std::to_string(version) + "/lib");
  for (const char* place :
       {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"})
    places.emplace_back(place);
  std::error_code ignored;
  for (const std::string& place : places)
    if (std::filesystem::exists(place + "/libomp.so", ignored)) return place;
  return std::nullopt;
}

std::vector<std::string> link_libomp(const std::vector<std::string>& library_directories) {
  if (const auto directory = find_libomp(library_directories)) return {"-L" + *directory, "-lomp"};
  return {"-lomp"};
}

}  // namespace heddle::wrapper
