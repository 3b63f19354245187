#include "wrapper/compiler.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "launch/find_program.hpp"
#include "support/files.hpp"

namespace heddle::wrapper {

using launch::find_program;

namespace {

struct Name {
  std::string_view wrapper;
  WrapperName meaning;
};
constexpr std::array kNames = {
    Name{"heddle-cc", {Language::C, std::nullopt}},
    Name{"heddle-c++", {Language::Cxx, std::nullopt}},
    Name{"heddle-fc", {Language::Fortran, std::nullopt}},
    Name{"heddle-gcc", {Language::C, Family::Gcc}},
    Name{"heddle-g++", {Language::Cxx, Family::Gcc}},
    Name{"heddle-gfortran", {Language::Fortran, Family::Gcc}},
    Name{"heddle-clang", {Language::C, Family::Clang}},
    Name{"heddle-clang++", {Language::Cxx, Family::Clang}},
};

const char* variable_for(Language language) {
  return language == Language::C ? "HEDDLE_CC" : language == Language::Cxx ? "HEDDLE_CXX" : "HEDDLE_FC";
}

// Newest first: clang 19 is the tested one, and its libomp is used.
std::vector<std::string> candidates(Language language, Family family) {
  if (language == Language::Fortran) return {"gfortran"};
  const bool cxx = language == Language::Cxx;
  if (family == Family::Gcc) return {cxx ? "g++" : "gcc"};
  return cxx ? std::vector<std::string>{"clang++-19", "clang++"}
             : std::vector<std::string>{"clang-19", "clang"};
}

std::string package_for(Language language, Family family) {
  if (family == Family::Clang) return "clang-19";
  return language == Language::C ? "gcc" : language == Language::Cxx ? "g++" : "gfortran";
}

// `cc` and `c++` are links to the administrator's choice: the target decides.
Family family_of(const std::string& path) {
  std::error_code ignored;
  const std::string target = std::filesystem::canonical(path, ignored).filename().string();
  const std::string name = std::filesystem::path(path).filename().string();
  const bool clang = (target + name).find("clang") != std::string::npos;
  return clang ? Family::Clang : Family::Gcc;
}

Result<Compiler> from_environment(const char* variable, const std::string& value) {
  Compiler compiler{Family::Gcc, {}};
  std::istringstream words(value);
  words.exceptions(std::ios::badbit);
  for (std::string word; words >> word;) compiler.words.push_back(word);
  if (compiler.words.empty()) return Error{std::string(variable) + " is set but empty"};
  const std::string path = launch::find_program(compiler.words.back());
  if (path.empty()) return Error{std::string(variable) + " names '" + value + "', which is not to be found"};
  std::error_code ignored;
  if (std::filesystem::equivalent(path, "/proc/self/exe", ignored))
    return Error{std::string(variable) + " names the wrapper itself; it must name the real compiler"};
  compiler.family = family_of(path);
  return compiler;
}

}  // namespace

std::optional<WrapperName> parse_wrapper_name(std::string_view program_name) {
  const auto it =
      std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.wrapper == program_name; });
  if (it == kNames.end()) return std::nullopt;
  return it->meaning;
}

Result<Compiler> choose_compiler(const WrapperName& wanted) {
  const char* variable = variable_for(wanted.language);
  if (const char* value = std::getenv(variable); value && !wanted.family)
    return from_environment(variable, value);
  const Family family = wanted.family.value_or(Family::Gcc);
  const auto names = candidates(wanted.language, family);
  for (const std::string& name : names)
    if (!launch::find_program(name).empty()) return Compiler{family, {name}};
  return Error{"no compiler: '" + names.front() + "' is not in PATH; install it (apt install " +
               package_for(wanted.language, family) + ") or name another one in " + variable};
}

std::string version_of(const Compiler& compiler) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  std::vector<std::string> words = compiler.words;
  words.push_back(compiler.family == Family::Gcc ? "-dumpfullversion" : "-dumpversion");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  int error = posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  if (!error) error = posix_spawn_file_actions_addclose(&files, ends[0]);
  pid_t pid = 0;
  if (!error) error = posix_spawnp(&pid, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::string version;
  const int unread = error ? 0 : read_all(ends[0], version);
  close(ends[0]);
  int status = 1;
  while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (error || unread || status != 0) return "";
  return version.substr(0, version.find('\n'));
}

}  // namespace heddle::wrapper
