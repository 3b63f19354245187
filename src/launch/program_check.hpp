// Is this file a program that Heddle can watch? Asked before it runs, to say something useful instead of
// nothing.
#pragma once

#include <string>

namespace heddle::launch {

enum class ProgramKind {
  Missing,
  NotExecutable,
  Heddle,    // an ELF file with our runtime, or one that loads libheddle.so
  OtherElf,  // a program of another make
  Other,     // a script
};

ProgramKind check_program(const std::string& path);

// Does it call the entry points that clang's OpenMP code has?
bool has_clang_openmp(const std::string& path);

// A model that it uses and that cannot be recorded, by its name; null if there is none.
const char* unrecorded_model(const std::string& path);

}  // namespace heddle::launch
