// What a compiler command line does, as far as instrumentation is concerned: does it compile, does it link, and what.
#pragma once

#include <string>
#include <vector>

namespace heddle::wrapper {

struct CompilerCommand {
  bool query = false;     // --version, -print-*, -dump*, or nothing to work on: pass through untouched
  bool compiles = false;  // there is source to instrument (not only objects or assembler)
  bool links = false;     // no -c, -S, -E, -M, -fsyntax-only, -r
  bool shared = false;    // -shared
  bool fully_static = false;
  bool no_default_libraries = false;  // -nostdlib, -nodefaultlibs
  bool openmp = false;                // -fopenmp in any form but simd
  bool gomp_chosen = false;           // clang's -fopenmp=libgomp
  bool debug_info = false;            // some -g option, -g0 included
  bool frame_pointer_chosen = false;  // -f[no-]omit-frame-pointer
  bool thread_sanitizer_off = false;  // -fno-sanitize=thread or all
  std::string linker;                 // of -fuse-ld=
  std::string output = "a.out";       // of a link
  std::vector<std::string> incompatible_sanitizers;
  std::vector<std::string> library_directories;  // -L
};

// `arguments` without the program's name, response files expanded.
CompilerCommand analyse(const std::vector<std::string>& arguments);

// Options whose value is the next argument (`-o x`).
bool takes_separate_value(const std::string& option);

}  // namespace heddle::wrapper
