// A normal checked run that follows a schedule: `heddle replay`, and the report of a bug that `heddle prove` has
// found.
#pragma once

#include "explore/schedule.hpp"
#include "launch/checked_run.hpp"
#include "report/finding.hpp"

namespace heddle::replay {

using settings::Settings;

struct ScheduledEnd {
  int code = 0;         // the program's own, or the one for findings
  bool found = false;   // what --fail-on asks for, or a stall
  std::string problem;  // where it left the schedule; empty if it did not
};

struct FollowOptions {
  launch::Output output = launch::Output::kShown;
  double most_seconds = 0;  // 0: no limit
};

// The time limit of a run that follows a schedule, if an execution may take `step_timeout` between two choice points.
constexpr double most_replaying(double step_timeout) { return 6 * step_timeout; }

struct Followed {
  launch::CheckedRun run;
  std::string problem;  // where it left the schedule; empty if it did not
};

// Only the run: nothing is rendered.
Result<Followed> follow_schedule(Settings settings, const explore::Schedule& schedule,
                                 const FollowOptions& how);

// Runs the program of `settings`, and renders its report as `heddle run` does.
Result<ScheduledEnd> run_scheduled(const Settings& settings, const explore::Schedule& schedule);

// The same without output: returns what it shows. An error if the program does not follow, or does not end.
Result<report::Report> report_of_schedule(const Settings& settings, const explore::Schedule& schedule,
                                          double most_seconds);

}  // namespace heddle::replay
