// The core of the wrapper, as a function from a command line to a command line: compile with the compiler's
// `-fsanitize=thread` hooks and link our runtime in place of its own.
//
// GCC takes its runtime from the first -B directory that has one, so -B<lib>/gcc replaces libtsan.a,
// libtsan_preinit.o and, through libgomp.spec, libgomp by libomp; combined compile-and-link commands need nothing
// more. clang names its runtime by absolute path in the driver, so only the front end is told to instrument
// (-Xclang), and the archive is added to links.
//
// A shared object built with Heddle carries no runtime. Its hooks are undefined and bind to those of the
// executable, which exports them; with `--heddle-shared` both use libheddle.so instead.
#pragma once

#include <string>
#include <vector>

#include "launch/layout.hpp"
#include "support/result.hpp"
#include "wrapper/compiler.hpp"

namespace heddle::wrapper {

struct WrapperOptions {
  bool shared_runtime = false;  // --heddle-shared, HEDDLE_SHARED=1
  std::string version;          // of the compiler at hand; empty if it is unknown
};

// Arguments for the real compiler, without the compiler itself. `arguments` has its response files expanded.
Result<std::vector<std::string>> instrumented(Family, const std::vector<std::string>& arguments,
                                              const launch::Layout&, const WrapperOptions&);

}  // namespace heddle::wrapper
