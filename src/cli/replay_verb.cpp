// heddle replay: runs a program once, following a schedule, and reports its findings.
#include <algorithm>

#include "cli/verb.hpp"
#include "output/text_file.hpp"
#include "replay/gdb_run.hpp"
#include "replay/scheduled_run.hpp"

namespace heddle::cli {
namespace {

int run(Settings& settings) {
  if (settings.operands.size() < 2)
    return fail("heddle replay needs a schedule and a program; see heddle replay --help");
  const std::string path = settings.operands.front();
  settings.operands.erase(settings.operands.begin());
  const auto text = read_text(path, "the schedule");
  if (!text) return fail(text.error());
  const auto schedule = explore::parse_schedule(*text);
  if (!schedule) return fail_input(path + ": " + schedule.error());
  if (settings.options.flag("gdb")) {
    const auto code = replay::run_in_gdb(settings, *schedule);
    return code ? *code : fail(code.error());
  }
  const auto end = replay::run_scheduled(settings, *schedule);
  if (!end) return fail(end.error());
  if (!end->problem.empty())
    return fail("the program does not follow '" + path + "': " + end->problem +
                ". Was the schedule written for another program, or other arguments?");
  return end->code;
}

}  // namespace

const Verb kReplayVerb{"replay",
                       options::kReplay,
                       Operands::kProgram,
                       "run a program as a schedule says, and report what it shows",
                       "[options] FILE.schedule PROGRAM [arguments]",
                       "The schedule names the thread that continues at each choice, as heddle prove wrote "
                       "it or as edited by hand; "
                       "after its last line the run continues as heddle run --serial does. The same schedule "
                       "gives the same run and the "
                       "same report. Exit code: that of heddle run; 2 if the program does not follow the "
                       "schedule, 65 if the schedule is "
                       "damaged.",
                       "  heddle prove ./app 4 || heddle replay app.schedule ./app 4\n"
                       "  heddle replay --report=bug.json app.schedule ./app 4\n"
                       "  heddle replay --gdb bug-1.schedule ./app 4\n",
                       run};

}  // namespace heddle::cli
