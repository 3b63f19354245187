// The paths of the installed parts: <prefix>/bin/heddle finds <prefix>/lib/heddle beside itself, in a build tree and
// after installation.
#pragma once

#include <filesystem>

#include "support/result.hpp"

namespace heddle::launch {

struct Layout {
  std::filesystem::path tool;     // this executable, symlinks resolved
  std::filesystem::path library;  // <prefix>/lib/heddle

  // The public headers, heddle/async.hpp and others.
  std::filesystem::path headers() const { return tool.parent_path().parent_path() / "include"; }
  std::filesystem::path archive() const { return library / "libheddle.a"; }
  std::filesystem::path shared_object() const { return library / "libheddle.so"; }
  // Replaces the OpenMP library under the verification runtime.
  std::filesystem::path openmp_runtime() const { return library / "libheddle_omp.so"; }
  // Replaces GCC's libtsan.a, libtsan_preinit.o and libgomp.spec (-B).
  std::filesystem::path gcc_parts(bool shared) const { return library / (shared ? "gcc-shared" : "gcc"); }
  // Take precedence over headers of libstdc++.
  std::filesystem::path library_headers() const { return library / "libstdc++"; }
  // For a compiler ("gcc", "clang") of this version; there may be none.
  std::filesystem::path plugin(const char* compiler, const std::string& version) const {
    return library / compiler / ("fewer_hooks-" + version + ".so");
  }
};

Result<Layout> find_layout();

}  // namespace heddle::launch
