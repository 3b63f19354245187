// The bugs of an exploration, each checked by a run that follows its schedule. Only a bug that such a run shows is
// reported: if the two disagree, one of them is wrong, and it is not known which.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/session/prove_watcher.hpp"
#include "launch/checked_run.hpp"

namespace heddle::explore {

using settings::Settings;

struct Witness {
  const Bug* bug;
  Schedule schedule;
  std::optional<launch::CheckedRun> run;  // that follows it, if it shows the bug
  std::string problem;                    // why that does not show it; empty: it does
};

// One run for each bug, none of which may take longer than `most_seconds`.
std::vector<Witness> follow_bugs(const std::vector<Bug>& bugs, const Settings& settings, double most_seconds);

// Writes the schedules of the confirmed bugs, with their reports; for the others, why not. The first schedule gets
// the path, the others are numbered. False if something could not be written; that was reported.
bool report_witnesses(std::vector<Witness>& witnesses, const Settings& settings, const std::string& path);

// " --threads=3 FILE ./program argument": the arguments that replay it.
std::string replay_words(const Settings& settings, const std::string& path);

}  // namespace heddle::explore
