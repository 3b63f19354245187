#include "explore/session/witnesses.hpp"

#include <algorithm>

#include "launch/render.hpp"
#include "output/messages.hpp"
#include "output/text_file.hpp"
#include "replay/scheduled_run.hpp"
#include "report/assemble.hpp"

namespace heddle::explore {
namespace {

// Empty if the run shows the bug.
std::string what_is_missing(const Bug& bug, const launch::CheckedRun& run, const settings::Options& options) {
  const std::string without = "a checked run that follows the schedule ";
  if (run.end.late) return without + "does not end";
  report::Suppressions none;
  switch (bug.kind) {
    case Bug::Kind::kRace: {
      if (options.text("check").find("race") == std::string::npos) return "";  // races were not checked
      const report::Report seen = report::assemble(run.raw, none, {true, 0});
      return seen.certain + seen.predicted > 0 ? "" : without + "has no race";
    }
    case Bug::Kind::kDeadlock:
      return !report::assemble(run.raw, none, {true, 0}).stalls.empty() ? "" : without + "has no deadlock";
    case Bug::Kind::kCrash:
      return run.end.signal != 0 ? "" : without + "does not crash";
  }
  return "";
}

}  // namespace

std::vector<Witness> follow_bugs(const std::vector<Bug>& bugs, const Settings& settings,
                                 double most_seconds) {
  std::vector<Witness> result;
  for (const Bug& bug : bugs) {
    Witness& witness = result.emplace_back(Witness{&bug,
                                                   {bug.what,
                                                    settings.operands.front(),
                                                    {settings.operands.begin() + 1, settings.operands.end()},
                                                    bug.steps},
                                                   {},
                                                   {}});
    auto followed =
        replay::follow_schedule(settings, witness.schedule, {launch::Output::kShown, most_seconds});
    if (!followed)
      witness.problem = followed.error();
    else if (!followed->problem.empty())
      witness.problem = "a checked run does not follow the schedule: " + followed->problem;
    else
      witness.problem = what_is_missing(bug, followed->run, settings.options);
    if (witness.problem.empty())
      witness.run.emplace(std::move(followed->run));
    else if (followed)
      followed->run.log.reported();  // it has nothing that is shown
  }
  return result;
}

bool report_witnesses(std::vector<Witness>& witnesses, const Settings& settings, const std::string& path) {
  const usize dot = std::min(path.rfind('.'), path.size());
  bool written = true;
  usize number = 0;
  for (Witness& witness : witnesses) {
    if (!witness.problem.empty()) {
      output::say(witness.bug->what + " was seen, but is not shown: " + witness.problem);
      continue;
    }
    const std::string file =
        ++number == 1 ? path : path.substr(0, dot) + "-" + std::to_string(number) + path.substr(dot);
    output::say(witness.bug->what + "; its schedule is " + file);
    written &= output::write_text(file, to_text(witness.schedule));
    auto suppressions = launch::load_suppressions(settings.options);
    const auto report = suppressions ? launch::render(witness.run->raw, *suppressions, settings.options)
                                     : Result<report::Report>(Error{suppressions.error()});
    if (!report) {
      output::say(report.error());
      written = false;
    } else {
      witness.run->log.reported();
    }
    output::say("to see it again: heddle replay" + replay_words(settings, file));
  }
  return written;
}

std::string replay_words(const Settings& settings, const std::string& path) {
  const auto threads = settings.options.number("threads");
  std::string text = threads ? " --threads=" + std::to_string(threads) : "";
  if (settings.options.flag("every-serial-thread")) text += " --every-serial-thread";
  if (!path.empty()) text += " " + path;
  for (const std::string& word : settings.operands) text += " " + word;
  return text;
}

}  // namespace heddle::explore
