// heddle run: run a program built with Heddle and report the races of that run.
//
// The tool makes the raw log and waits; everything that is found is written by the program itself, at once,
// so that however it ends, what was found before is reported.
#include "cli/atomic_option.hpp"
#include "cli/child.hpp"
#include "cli/log_file.hpp"
#include "cli/render.hpp"
#include "cli/settings.hpp"
#include "cli/verb.hpp"
#include "cli/watched_program.hpp"

namespace heddle::cli {
namespace {

std::string help() {
  std::string text =
      "heddle run: run a program built with Heddle and report its races and atomicity violations\n"
      "\n"
      "usage: heddle run [options] PROGRAM [arguments]\n"
      "\n"
      "The program runs on its own OpenMP runtime and threads, in parallel. The report goes to the standard "
      "error when it\n"
      "has ended, however it ended. Exit code: 66 if certain bugs were found, else the program's own, 128+N "
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
         "  heddle run --check=race,atomicity --atomic=var:balance ./bank\n"
         "  heddle run --suppressions=known.txt --fail-on=predicted -- ./app --verbose\n"
         "  heddle run ctest                          programs started by others are watched too\n";
}

// What the program is told of --atomic, as variables of its environment.
Result<std::vector<std::string>> what_is_atomic(const Options& options, const WatchedProgram& program) {
  const std::string texts = options.text("atomic");
  if (texts.empty()) return std::vector<std::string>{};
  if (options.text("check").find("atomicity") == std::string::npos)
    return Error{"--atomic needs --check=atomicity, or --check=race,atomicity"};
  AtomicOption named;
  if (std::string wrong = named.add_all(texts); !wrong.empty()) return Error{wrong};
  if (program.kind != ProgramKind::Heddle && named.needs_program())
    return Error{"--atomic: '" + program.name + "' was not built with Heddle, so its names mean nothing"};
  const auto places = named.for_program(program.path);
  if (!places) return Error{places.error()};
  return std::vector{"HEDDLE_ATOMIC=" + *places};
}

int run(const Arguments& arguments) {
  const auto settings = collect_settings(arguments);
  if (!settings) return fail(settings.error());
  const Options& options = settings->options;
  if (settings->operands.empty()) return fail("heddle run needs a program; see heddle run --help");
  auto suppressions = load_suppressions(options);
  if (!suppressions) return fail(suppressions.error());

  const auto program = find_watched(settings->operands.front(), options.flag("quiet"));
  if (!program) return fail(program.error());
  if (options.flag("serial"))
    if (const auto unfit = unfit_for_serial(*program)) return fail(*unfit);

  const auto atomic = what_is_atomic(options, *program);
  if (!atomic) return fail(atomic.error());

  auto log = LogFile::create(options.text("keep-log"));
  if (!log) return fail(log.error());
  log->append(report::to_json_line(run_line(*settings)));
  const auto end = run_child(program->path, settings->operands, watched_environment(*log, options, *atomic),
                             options.flag("serial") ? Addresses::kTheSame : Addresses::kRandom);
  if (!end) return fail(end.error());
  log->append(report::to_json_line(report::ExitLine{end->code, end->signal}));

  const auto raw = log->read();
  if (!raw) return fail(raw.error());
  if (raw->processes.empty()) return fail(nothing_ran_message(*program, *end, "checked"));
  const auto report = render(*raw, *suppressions, options);
  if (!report) return fail(report.error());
  const std::uint64_t code = options.number("exit-code");
  return has_failed(*report, options) && code != 0 ? static_cast<int>(code) : end->code;
}

}  // namespace

const Verb kRunVerb{"run", "run a program built with Heddle and report its races and atomicity violations",
                    help, run};

}  // namespace heddle::cli
