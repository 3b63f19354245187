// The program's options (src/options, from HEDDLE_OPTIONS) as the runtime asks for them.
#pragma once

#include "options/program_options.hpp"

namespace heddle {

// How locks and tasks are identified in other executions: see abstract_names.hpp.
enum class Names : u8 { kIndex, kSites, kTrivial };

struct Options : options::ProgramOptions {
  // The parts of `check`.
  bool check_races = true;       // report them
  bool check_atomicity = false;  // watch what is meant to be atomic
  bool check_deadlock = false;   // look for cycles of locks

  Names naming() const { return static_cast<Names>(names); }

  // False if a value was refused; its option keeps its initial value.
  bool parse(const char* text);
};

}  // namespace heddle
