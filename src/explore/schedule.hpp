// A schedule: the actor of each step, by names that are stable across runs, as a text that a person can read and
// edit.
//
//   heddle-schedule 1
//   # what it shows
//   program ./app
//   argument 4
//   0      start
//   0.1    acquire   mutex 2
//   0.1    go-on     x3
//   end
//
// Each line is a step, or a run of equal ones (x3). The first word is the actor by its spawn path (0.1 is the second
// actor that 0 spawned), the second the operation that the step begins with (try-free is a try-acquire that gets the
// lock), the rest names the object. The last line shows that the file is complete. After the schedule the execution
// continues greedily.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/execution.hpp"
#include "support/result.hpp"

namespace heddle::explore {

struct ScheduledStep {
  std::string actor;  // spawn path
  Op op = Op::kGoOn;
  std::string object;       // empty: none, or one without a name
  bool finds_free = false;  // of kTryAcquire: it gets the lock; else it does not, or that is not known
  bool operator==(const ScheduledStep&) const = default;
};

struct Schedule {
  std::string shows;  // lines of comment
  std::string program;
  std::vector<std::string> arguments;
  std::vector<ScheduledStep> steps;
  // Places in the program whose accesses are steps, in the words of report/code_sites.hpp.
  std::vector<std::string> sites = {};
  bool operator==(const Schedule&) const = default;
};

// "acquire", "go-on", ...
std::string_view word(Op op);
std::optional<Op> op_of(std::string_view word);

// The name of an object in a report or a schedule: one line, no address.
using ObjectNamer = std::function<std::string(const Step& step)>;

// The given steps of an execution, as a schedule.
std::vector<ScheduledStep> scheduled(const Execution& execution, const std::vector<u32>& steps,
                                     const ActorNames& names, const ObjectNamer& namer);
std::vector<ScheduledStep> scheduled(const Execution& execution, const ActorNames& names,
                                     const ObjectNamer& namer);

std::string to_text(const Schedule& schedule);
// Errors name the line.
Result<Schedule> parse_schedule(std::string_view text);

// Where an execution left the schedule, and what was expected; empty if it followed.
std::optional<std::string> divergence(const Schedule& schedule, const Execution& execution,
                                      const ActorNames& names, const ObjectNamer& namer);

}  // namespace heddle::explore
