// An ordinary checked run that follows a schedule: `heddle replay`, and the report of a bug that `heddle prove` has found.
#pragma once

#include "cli/settings.hpp"
#include "explore/schedule.hpp"
#include "report/finding.hpp"

namespace heddle::cli {

struct ScheduledEnd {
  int code = 0;         // the program's own, or the one for findings
  bool found = false;   // what --fail-on asks for, or a stall
  std::string problem;  // where it left the schedule; empty if it did not
};

// Runs the program of `settings`, and renders its report as `heddle run` does.
Result<ScheduledEnd> run_scheduled(Settings settings, const explore::Schedule& schedule);

// The same without a word: only what it shows. An error if the program does not follow.
Result<report::Report> report_of_schedule(Settings settings, const explore::Schedule& schedule);

}  // namespace heddle::cli
