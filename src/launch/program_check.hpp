// Can Heddle check this program? Decided before it runs, to give a useful message.
#pragma once

#include <string>

namespace heddle::launch {

enum class ProgramKind {
  Missing,
  NotExecutable,
  Heddle,      // an ELF file with our runtime, or one that loads libheddle.so
  OtherElf,    // a program built without Heddle
  Other,       // a script
  Unreadable,  // errno says why
};

ProgramKind check_program(const std::string& path);

// Does it call the entry points of clang's OpenMP code?
bool has_clang_openmp(const std::string& path);

// The name of a model that it uses and that cannot be recorded; null if there is none.
const char* unrecorded_model(const std::string& path);

}  // namespace heddle::launch
