// The findings of one process, resolved: every address of a raw one becomes a name, a line or a phrase.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "report/finding.hpp"
#include "report/identity.hpp"
#include "report/source_text.hpp"
#include "report/stacks.hpp"
#include "report/symbolizer.hpp"

namespace heddle::report {

class Resolver {
 public:
  // All three outlive the resolver; symbolizer and source text are shared between processes.
  Resolver(const Process& process, Symbolizer& symbolizer, SourceText& source, Identities identities)
      : process_(process),
        symbolizer_(symbolizer),
        source_(source),
        stacks_(symbolizer, process),
        identities_(identities) {}

  Stack stack_of(const RawAccess&, const RawRace&);
  std::optional<VariableName> variable_name(const RawRace&);
  Finding finding(const RawRace&);
  Finding finding(const RawDeadlock&);
  // Of all acquisitions, those that are wanted first.
  std::vector<Stack> stacks_of(const RawDeadlock&);
  std::vector<std::string> lock_names(const RawDeadlock&);
  // REQUIRES: the process has stalled.
  Stall stall();
  std::string variable_description(const RawRace& race) { return variable(race).description; }

 private:
  Access access(const RawAccess&, const RawRace&);
  Lock named_lock(const RawLock&, std::size_t modules_seen);
  Task task(TaskId, std::size_t modules_seen);
  std::string identity(TaskId, std::size_t modules_seen);
  Variable variable(const RawRace&);
  Finding race(const RawRace&);
  Finding violation(const RawRace&);
  // What both have in common. Says in `result` what does not depend on the kind.
  Conflict conflict(const RawRace&, Finding& result);
  Acquisition acquisition(const RawAcquisition&, TaskId task, std::size_t modules_seen);
  std::string description(const Variable&, const RawRace&);

  const Process& process_;
  Symbolizer& symbolizer_;
  SourceText& source_;
  StackBuilder stacks_;
  Identities identities_;
  std::map<TaskId, std::string> known_identities_;
};

}  // namespace heddle::report
