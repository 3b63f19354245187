// The bugs of an exploration, each held against a checked run that follows its schedule. Only what such a run shows
// is reported: where the two disagree, one of them is wrong, and which one nobody can tell.
#pragma once

#include <string>
#include <vector>

#include "explore/session/prove_watcher.hpp"
#include "launch/checked_run.hpp"

namespace heddle::explore {

using settings::Settings;

struct Witness {
  const Bug* bug;
  Schedule schedule;
  report::RawLog raw;   // of the run that follows it
  std::string problem;  // why that does not show it; empty: it does
};

// One run for each bug, none of which may take longer than `most_seconds`.
std::vector<Witness> follow_bugs(const std::vector<Bug>& bugs, const Settings& settings, double most_seconds);

// The schedules of those that were shown, with their reports; of the others why they were not. The first schedule has
// the path, the others are numbered. False, and it was said, if something could not be written.
bool tell_witnesses(const std::vector<Witness>& witnesses, const Settings& settings, const std::string& path);

// " --threads=3 FILE ./program argument": what must be said again to replay it.
std::string replay_words(const Settings& settings, const std::string& path);

}  // namespace heddle::explore
