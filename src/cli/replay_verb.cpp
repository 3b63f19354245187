// heddle replay: run a program once more as a schedule says, and report what it shows.
#include <algorithm>

#include "cli/verb.hpp"
#include "output/text_file.hpp"
#include "replay/gdb_run.hpp"
#include "replay/scheduled_run.hpp"

namespace heddle::cli {
namespace {

std::string help() {
  return "heddle replay: run a program as a schedule says, and report what it shows\n"
         "\n"
         "usage: heddle replay [options] FILE.schedule PROGRAM [arguments]\n"
         "\n"
         "The schedule names who goes on at each choice, as heddle prove wrote it or as somebody edited it; "
         "behind its last line\n"
         "the run goes on as heddle run --serial does. The same schedule gives the same run, and the same "
         "report. Exit code: that\n"
         "of heddle run; 2 if the program does not follow the schedule, 65 if that is damaged.\n"
         "\n"
         "  --gdb                 under gdb (or what HEDDLE_GDB names), up to where the bug comes next: "
         "those who "
         "show it stand there\n"
         "\n"
         "options: those of heddle run\n" +
         options_help(Consumer::Tool) +
         "\n"
         "examples:\n"
         "  heddle prove ./app 4 || heddle replay app.schedule ./app 4\n"
         "  heddle replay --report=bug.json app.schedule ./app 4\n"
         "  heddle replay --gdb bug-1.schedule ./app 4\n";
}

int run(const Arguments& all) {
  Arguments arguments = all;
  // What follows the options is the program's.
  const auto operands = std::find_if(arguments.begin(), arguments.end(),
                                     [](const std::string& word) { return !word.starts_with("-"); });
  const auto gdb = std::find(arguments.begin(), operands, "--gdb");
  const bool debugs = gdb != operands;
  if (debugs) arguments.erase(gdb);
  auto settings = collect_settings(arguments);
  if (!settings) return fail(settings.error());
  if (settings->operands.size() < 2)
    return fail("heddle replay needs a schedule and a program; see heddle replay --help");
  const std::string path = settings->operands.front();
  settings->operands.erase(settings->operands.begin());
  const auto text = read_text(path, "the schedule");
  if (!text) return fail(text.error());
  const auto schedule = explore::parse_schedule(*text);
  if (!schedule) return fail_input(path + ": " + schedule.error());
  if (debugs) {
    const auto code = replay::run_in_gdb(*settings, *schedule);
    return code ? *code : fail(code.error());
  }
  const auto end = replay::run_scheduled(*settings, *schedule);
  if (!end) return fail(end.error());
  if (!end->problem.empty())
    return fail("the program does not follow '" + path + "': " + end->problem +
                ". Was the schedule written for another program, or other arguments?");
  return end->code;
}

}  // namespace

const Verb kReplayVerb{"replay", "run a program again as a schedule says, and report what it shows", help,
                       run};

}  // namespace heddle::cli
