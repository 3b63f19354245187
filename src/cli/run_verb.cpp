// heddle run: runs a program built with Heddle and reports the races of that run.
//
// The tool creates the raw log and waits; the program writes each finding at once, so that all findings before its
// end are reported, however it ends.
#include "base/ask_signal.hpp"
#include "cli/verb.hpp"
#include "launch/checked_run.hpp"
#include "launch/render.hpp"
#include "settings/settings.hpp"

namespace heddle::cli {
namespace {

int run(Settings& settings) {
  const Options& options = settings.options;
  if (settings.operands.empty()) return fail("heddle run needs a program; see heddle run --help");
  auto suppressions = launch::load_suppressions(options);
  if (!suppressions) return fail(suppressions.error());

  launch::CheckedRunOptions how;
  if (options.flag("serial")) how.child.addresses = launch::Addresses::kTheSame;
  how.child.most_seconds = options.seconds("timeout");
  auto checked = launch::run_checked(settings, how);
  if (!checked) return fail(checked.error());
  const auto report = launch::render(checked->raw, *suppressions, options);
  if (!report) return fail(report.error());
  checked->log.reported();
  if (!checked->problem.empty()) return fail(checked->problem);
  const std::uint64_t code = options.number("exit-code");
  if (launch::has_failed(*report, options) && code != 0) return static_cast<int>(code);
  if (checked->end.late) return ask::kEndedCode;
  const bool is_whole = report::what_is_missing(checked->raw).empty();
  return checked->end.code == 0 && !is_whole ? kIncomplete : checked->end.code;
}

}  // namespace

const Verb kRunVerb{
    "run",
    options::kRun,
    Operands::kProgram,
    "run a program built with Heddle and report its races, atomicity violations and deadlocks",
    "[options] PROGRAM [arguments]",
    "The program runs on its own OpenMP runtime and threads, in parallel. The report goes to the standard "
    "error when it "
    "has ended, however it ended. Exit code: 66 if certain bugs were found, else the program's own, 128+N if "
    "signal N "
    "killed it, 124 if Heddle ended it (--timeout, a deadlock), 2 if nothing built with Heddle ran.",
    "  heddle run ./app 1000\n"
    "  OMP_NUM_THREADS=8 heddle run --report=races.json ./app\n"
    "  heddle run --check=race,atomicity --atomic=var:balance ./bank\n"
    "  heddle run --suppressions=known.txt --fail-on=predicted -- ./app --verbose\n"
    "  heddle run ctest                          programs started by others are checked, too\n",
    run};

}  // namespace heddle::cli
