// heddle report: renders a kept raw log again, with other options.
#include "cli/verb.hpp"
#include "launch/render.hpp"
#include "settings/settings.hpp"

namespace heddle::cli {
namespace {

int run(Settings& settings) {
  if (settings.operands.size() != 1) return fail("heddle report needs one raw log; see heddle report --help");
  auto suppressions = launch::load_suppressions(settings.options);
  if (!suppressions) return fail(suppressions.error());
  const auto log = report::read_raw_log_file(settings.operands.front());
  if (!log) return fail(log.error());
  const std::string missing = report::what_is_missing(*log);
  if (log->processes.empty() && !log->run)
    return fail_input("'" + settings.operands.front() + "': " + missing);
  const auto report = launch::render(*log, *suppressions, settings.options);
  if (!report) return fail(report.error());
  if (!missing.empty())
    say("'" + settings.operands.front() + "': " + missing + "; the report is not complete");
  if (launch::has_failed(*report, settings.options))
    return static_cast<int>(settings.options.number("exit-code"));
  return missing.empty() ? 0 : kDamagedInput;
}

}  // namespace

const Verb kReportVerb{"report",
                       options::kReport,
                       Operands::kFiles,
                       "render a raw log again that heddle run --keep-log=FILE kept",
                       "[options] LOG",
                       "The program and its source files must still be where they were, or names are "
                       "missing. The exit code is that of the "
                       "run: 66 if certain bugs are in the log, 65 if not and it is damaged, 0 otherwise.",
                       "  heddle run --keep-log=app.log ./app\n"
                       "  heddle report --predicted app.log\n"
                       "  heddle report --report=app.json --suppressions=known.txt app.log\n",
                       run};

}  // namespace heddle::cli
