#include "launch/watched_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "launch/find_program.hpp"
#include "launch/layout.hpp"
#include "output/messages.hpp"

namespace heddle::launch {
namespace {

bool changes_the_run(std::string_view variable) {
  return variable.starts_with("OMP_") || variable.starts_with("KMP_") || variable.starts_with("GOMP_");
}

std::string not_built_message(const std::string& program, const std::string& done) {
  return "'" + program + "' did not run anything that was built with Heddle, so nothing was " + done +
         "; build it with\n" +
         "    heddle c++ -g -fopenmp app.cpp -o app      (or CXX=heddle-c++, CMAKE_CXX_COMPILER=heddle-c++)";
}

std::string did_not_start_message(const std::string& program, const ChildEnd& end, const std::string& done) {
  std::string text = "'" + program + "' was built with Heddle but ended before its first line (";
  text += end.signal != 0 ? "signal " + std::to_string(end.signal) : "exit code " + std::to_string(end.code);
  text += "), so nothing was " + done;
  if (end.code == 127)
    text +=
        "; if the loader misses libomp.so.5, LLVM's OpenMP runtime: apt install libomp5-19, or name its\n"
        "    directory in LD_LIBRARY_PATH";
  return text;
}

// Before libomp in the search order; after the user's own preloads.
void preload_openmp_runtime(std::vector<std::string>& environment) {
  const auto layout = find_layout();
  std::error_code ignored;
  if (!layout || !std::filesystem::exists(layout->openmp_runtime(), ignored)) return;
  const std::string library = layout->openmp_runtime().string();
  for (std::string& variable : environment)
    if (variable.starts_with("LD_PRELOAD=")) {
      variable += ":" + library;
      return;
    }
  environment.push_back("LD_PRELOAD=" + library);
}

}  // namespace

Result<WatchedProgram> find_watched(const std::string& name, bool quiet) {
  const bool in_path = name.find('/') == std::string::npos;
  const std::string path = in_path ? find_program(name) : name;
  const ProgramKind kind = path.empty() ? ProgramKind::Missing : check_program(path);
  if (kind == ProgramKind::Missing)
    return Error{
        "there is no program '" + name + "'" +
        (in_path && std::filesystem::exists(name) ? " in PATH; did you mean './" + name + "'?" : "")};
  if (kind == ProgramKind::Unreadable) return Error{"cannot read '" + name + "': " + std::strerror(errno)};
  if (kind == ProgramKind::NotExecutable) return Error{"'" + name + "' is not an executable file"};
  if (kind == ProgramKind::OtherElf && !quiet)
    output::say("'" + name + "' was not built with Heddle; the programs that it starts are checked");
  return WatchedProgram{name, path, kind};
}

std::optional<std::string> unfit_for_record(const WatchedProgram& program) {
  const char* model = program.kind == ProgramKind::Heddle ? unrecorded_model(program.path) : nullptr;
  if (!model) return std::nullopt;
  return "'" + program.name + "' uses " + model + ": recording " + model +
         " programs is not supported yet; heddle run and heddle prove support it";
}

std::optional<std::string> unfit_for_serial(const WatchedProgram& program) {
  if (program.kind != ProgramKind::Heddle || !has_clang_openmp(program.path)) return std::nullopt;
  return "'" + program.name +
         "' has OpenMP code that was compiled by clang; the verification runtime has the entry points "
         "of GCC's: build it with\n"
         "    HEDDLE_CXX=g++ HEDDLE_CC=gcc heddle c++ -g -fopenmp app.cpp -o app";
}

std::vector<std::string> watched_environment(const LogFile& log, const Options& options,
                                             const std::vector<std::string>& more) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("HEDDLE_LOG_") && !text.starts_with("HEDDLE_RECORD_") &&
        !text.starts_with("HEDDLE_OPTIONS=") && !text.starts_with("HEDDLE_ATOMIC_PLACES="))
      result.emplace_back(text);
  }
  if (options.flag("serial")) preload_openmp_runtime(result);
  const std::string descriptor = std::to_string(log.descriptor());
  result.push_back("HEDDLE_LOG_FD=" + descriptor);
  // Launchers close unknown descriptors; the program can still open the file by this path.
  result.push_back("HEDDLE_LOG_PATH=/proc/" + std::to_string(getpid()) + "/fd/" + descriptor);
  if (const std::string settings = options.runtime_settings(); !settings.empty())
    result.push_back("HEDDLE_OPTIONS=" + settings);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

report::RunLine run_line(const Settings& settings) {
  report::RunLine line;
  line.command = settings.operands;
  std::error_code ignored;
  line.directory = std::filesystem::current_path(ignored).string();
  for (char** variable = environ; *variable; ++variable)
    if (changes_the_run(*variable)) line.environment.emplace_back(*variable);
  for (const std::string& option : settings.command_line) {
    const options::Spec* spec = settings::find_option(option.substr(2));
    if (spec && (spec->to_program || spec->name.text == std::string_view("atomic")))
      line.options.push_back(option);
  }
  return line;
}

std::string nothing_ran_message(const WatchedProgram& program, const ChildEnd& end, const std::string& done) {
  return program.kind == ProgramKind::Heddle ? did_not_start_message(program.name, end, done)
                                             : not_built_message(program.name, done);
}

}  // namespace heddle::launch
