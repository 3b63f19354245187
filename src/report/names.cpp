#include "report/names.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace heddle::report {
namespace {

bool is_open(char c) { return c == '(' || c == '<' || c == '{' || c == '['; }
bool is_close(char c) { return c == ')' || c == '>' || c == '}' || c == ']'; }

// `<` and `>` are brackets except in the names of operators (`operator<<`, `operator->`), which come after
// `operator`.
std::size_t operator_position(std::string_view name) {
  for (std::size_t at = name.rfind("operator"); at != std::string_view::npos && at > 0;
       at = name.rfind("operator", at - 1))
    if (name[at - 1] == ' ' || name[at - 1] == ':') return at;
  return name.starts_with("operator") ? 0 : std::string_view::npos;
}

std::string_view without_return_type(std::string_view name) {
  const std::size_t end = std::min(operator_position(name), name.size());
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (is_open(name[i])) ++depth;
    if (is_close(name[i])) --depth;
    // A lambda in a member function: `C::f() const::{lambda()#1}`.
    const bool qualifies_outer = name.substr(i).starts_with(" const::");
    if (depth == 0 && name[i] == ' ' && !qualifies_outer) start = i + 1;
  }
  return name.substr(start);
}

}  // namespace

std::string demangle(const std::string& linkage_name) {
  // The demangler also takes type codes: a C function `t` would become `unsigned short`.
  if (!linkage_name.starts_with("_Z")) return linkage_name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(linkage_name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : linkage_name;
}

std::string without_parameters(std::string_view name) {
  if (const std::size_t clone = name.find(" [clone"); clone != std::string_view::npos)
    name = name.substr(0, clone);
  const std::size_t close = name.rfind(')');
  if (close == std::string_view::npos) return std::string(without_return_type(name));
  // Something other than `const`, `&` or `volatile` after the last `)` means that it closes no parameter
  // list, as in `(anonymous namespace)::counter` or `call<main()::<lambda()> >`.
  if (name.substr(close).find_first_of(":>}") != std::string_view::npos)
    return std::string(without_return_type(name));
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] != '(' || --depth > 0) continue;
    // The debug information of GCC gives the bare name: `operator()`.
    const bool part_of_name = name.substr(0, i).ends_with("operator");
    return std::string(without_return_type(part_of_name ? name : name.substr(0, i)));
  }
  return std::string(name);
}

std::optional<Outlined> outlined(const std::string& name) {
  const auto owner_before = [&](std::size_t at) { return without_parameters(demangle(name.substr(0, at))); };
  if (name.starts_with(".omp_task_entry.")) return Outlined{Outlined::Kind::TaskEntry, ""};
  if (name.starts_with(".omp_outlined.")) return Outlined{Outlined::Kind::TaskBody, ""};
  if (const std::size_t at = name.find("._omp_fn"); at != std::string::npos)
    return Outlined{Outlined::Kind::Region, owner_before(at)};
  if (const std::size_t at = name.find(".omp_outlined"); at != std::string::npos)
    return Outlined{Outlined::Kind::Parallel, owner_before(at)};
  return std::nullopt;
}

}  // namespace heddle::report
