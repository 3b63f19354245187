// heddle run: run a program built with Heddle and report the races of that run.
//
// The tool makes the raw log and waits; everything that is found is written by the program itself, at once,
// so that however it ends, what was found before is reported.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/child.hpp"
#include "cli/compiler.hpp"
#include "cli/log_file.hpp"
#include "cli/program_check.hpp"
#include "cli/render.hpp"
#include "cli/settings.hpp"
#include "cli/verb.hpp"

namespace heddle::cli {
namespace {

std::string help() {
  std::string text =
      "heddle run: run a program built with Heddle and report its races\n"
      "\n"
      "usage: heddle run [options] PROGRAM [arguments]\n"
      "\n"
      "The program runs on its own OpenMP runtime and threads, in parallel. The report goes to the standard "
      "error when it\n"
      "has ended, however it ended. Exit code: 66 if certain races were found, else the program's own, 128+N "
      "if signal N\n"
      "killed it, 2 if nothing built with Heddle ran.\n"
      "\n"
      "options (also in HEDDLE_OPTIONS=a=1:b=2 and in the file .heddle; --options-file=FILE names "
      "another):\n" +
      options_help(Consumer::Tool);
  if (const std::string runtime = options_help(Consumer::Runtime); !runtime.empty())
    text += "\noptions for the running program:\n" + runtime;
  return text +
         "\n"
         "examples:\n"
         "  heddle run ./app 1000\n"
         "  OMP_NUM_THREADS=8 heddle run --report=races.json ./app\n"
         "  heddle run --suppressions=known.txt --fail-on=predicted -- ./app --verbose\n"
         "  heddle run ctest                          programs started by others are watched too\n";
}

bool changes_the_run(std::string_view variable) {
  return variable.starts_with("OMP_") || variable.starts_with("KMP_") || variable.starts_with("GOMP_");
}

// The child's environment: ours, with the descriptor of the log and the options for the runtime.
Arguments child_environment(const LogFile& log, const Options& options) {
  Arguments result;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("HEDDLE_LOG_") && !text.starts_with("HEDDLE_OPTIONS=")) result.emplace_back(text);
  }
  const std::string descriptor = std::to_string(log.descriptor());
  result.push_back("HEDDLE_LOG_FD=" + descriptor);
  // Launchers close descriptors they do not know; the file can still be opened here.
  result.push_back("HEDDLE_LOG_PATH=/proc/" + std::to_string(getpid()) + "/fd/" + descriptor);
  if (const std::string settings = options.runtime_settings(); !settings.empty())
    result.push_back("HEDDLE_OPTIONS=" + settings);
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
    const OptionSpec* spec = find_option(option.substr(2, option.find('=') - 2));
    if (spec && spec->consumer == Consumer::Runtime) line.options.push_back(option);
  }
  return line;
}

std::string not_built_message(const std::string& program) {
  return "'" + program +
         "' did not run anything that was built with Heddle, so nothing was checked; build it with\n" +
         "    heddle c++ -g -fopenmp app.cpp -o app      (or CXX=heddle-c++, CMAKE_CXX_COMPILER=heddle-c++)";
}

std::string did_not_start_message(const std::string& program, const ChildEnd& end) {
  std::string text = "'" + program + "' was built with Heddle but ended before its first line (";
  text += end.signal != 0 ? "signal " + std::to_string(end.signal) : "exit code " + std::to_string(end.code);
  text += "), so nothing was checked";
  if (end.code == 127)
    text +=
        "; if the loader misses libomp.so.5, LLVM's OpenMP runtime: apt install libomp5-19, or name its\n"
        "    directory in LD_LIBRARY_PATH";
  return text;
}

int run(const Arguments& arguments) {
  const auto settings = collect_settings(arguments);
  if (!settings) return fail(settings.error());
  const Options& options = settings->options;
  if (settings->operands.empty()) return fail("heddle run needs a program; see heddle run --help");
  auto suppressions = load_suppressions(options);
  if (!suppressions) return fail(suppressions.error());

  const std::string& program = settings->operands.front();
  const bool in_path = program.find('/') == std::string::npos;
  const std::string path = in_path ? find_program(program) : program;
  const ProgramKind kind = path.empty() ? ProgramKind::Missing : check_program(path);
  if (kind == ProgramKind::Missing)
    return fail(
        "there is no program '" + program + "'" +
        (in_path && std::filesystem::exists(program) ? " in PATH; did you mean './" + program + "'?" : ""));
  if (kind == ProgramKind::NotExecutable) return fail("'" + program + "' is not an executable file");
  if (kind == ProgramKind::OtherElf && !options.flag("quiet"))
    std::fprintf(stderr, "heddle: '%s' was not built with Heddle; watching what it starts\n",
                 program.c_str());

  auto log = LogFile::create(options.text("keep-log"));
  if (!log) return fail(log.error());
  log->append(report::to_json_line(run_line(*settings)));
  const auto end = run_child(path, settings->operands, child_environment(*log, options));
  if (!end) return fail(end.error());
  log->append(report::to_json_line(report::ExitLine{end->code, end->signal}));

  const auto raw = log->read();
  if (!raw) return fail(raw.error());
  if (raw->processes.empty())
    return fail(kind == ProgramKind::Heddle ? did_not_start_message(program, *end)
                                            : not_built_message(program));
  const auto report = render(*raw, *suppressions, options);
  if (!report) return fail(report.error());
  const std::uint64_t code = options.number("exit-code");
  return has_failed(*report, options) && code != 0 ? static_cast<int>(code) : end->code;
}

}  // namespace

const Verb kRunVerb{"run", "run a program built with Heddle and report its races", help, run};

}  // namespace heddle::cli
