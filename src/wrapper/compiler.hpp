// The real compiler behind the wrapper, and its family. The family decides how to request instrumentation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace heddle::wrapper {

enum class Family { Gcc, Clang };
enum class Language { C, Cxx, Fortran };

struct Compiler {
  Family family;
  std::vector<std::string> words;  // usually one; `HEDDLE_CXX="ccache g++"` gives two
};

// The meaning of a wrapper name such as `heddle-clang++`.
struct WrapperName {
  Language language;
  std::optional<Family> family;  // none: $HEDDLE_CC / $HEDDLE_CXX / $HEDDLE_FC, else GCC
};
std::optional<WrapperName> parse_wrapper_name(std::string_view program_name);

Result<Compiler> choose_compiler(const WrapperName&);

// "12.2.0", as the compiler prints it; empty if it does not.
std::string version_of(const Compiler&);

}  // namespace heddle::wrapper
