// Run-time options of the in-target part, from the environment variable HEDDLE_OPTIONS ("a=1:b=2"). `heddle run` checks
// names and values and documents them (src/settings/options.cpp); here unknown ones are passed over, as they may be the
// tool's.
#pragma once

#include "base/types.hpp"

namespace heddle {

// What locks and tasks are called in other executions: see abstract_names.hpp.
enum class Names : u8 { kIndex, kSites, kTrivial };

struct Options {
  bool races = true;        // off: run the hooks, judge nothing (to see what instrumentation alone costs)
  bool check_races = true;  // report them
  bool check_atomicity = false;  // watch what is meant to be atomic
  bool check_deadlock = false;   // look for cycles of locks
  bool halt_on_deadlock = false;
  Names names = Names::kIndex;
  u32 names_depth = 10;       // call sites
  usize memory_limit_mb = 0;  // 0: none but the machine's
  bool stats = false;
  bool every_serial_thread = false;  // of barriers, in an exploration
  bool serial = false;               // under the verification runtime (src/control)
  u32 threads = 0;                   // logical threads there; 0: not said

  void parse(const char* text);
};

}  // namespace heddle
