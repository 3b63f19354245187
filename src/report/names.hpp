// Names as the user wrote them: demangled, without parameter lists, and with the functions that compilers
// outline from OpenMP constructs called what they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::report {

std::string demangle(const std::string& linkage_name);

// `void ns::solve<int>(std::vector<int>&) const [clone .isra.0]` -> `ns::solve<int>`.
std::string without_parameters(std::string_view demangled);

// What a compiler-made function stands for.
struct Outlined {
  enum class Kind {
    Region,     // GCC's `main._omp_fn.0`: a parallel region or a task body, the name does not say
    Parallel,   // clang's `main.omp_outlined`
    TaskEntry,  // clang's `.omp_task_entry.`: calls the body
    TaskBody,   // clang's `.omp_outlined.`
  };
  Kind kind;
  std::string owner;  // the function whose text holds the construct; empty when the name does not say
};
std::optional<Outlined> outlined(const std::string& linkage_name);

}  // namespace heddle::report
