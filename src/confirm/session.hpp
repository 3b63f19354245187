// What `heddle confirm` does with the findings of a run: steers for each, writes what it confirms, and tries to refute
// the rest.
#pragma once

#include <chrono>
#include <set>

#include "confirm/refuter.hpp"
#include "confirm/steered_program.hpp"
#include "report/finding.hpp"

namespace heddle::confirm {

struct ConfirmRequest {
  SteeringRequest steering;
  std::set<std::size_t> only;  // numbers of findings; empty: all
  RefuterOptions refuter;
  double most_seconds = 0;  // for the first run, and again for all the rest; 0: as long as it takes
  std::chrono::steady_clock::time_point begun;  // the rest
  std::string findings;                         // a raw log in place of a run; empty: none
  bool own_runtime = false;                     // steer there though the verification runtime might do
};

// Of the time for what comes after the first run; negative: it is over. Without a limit: very much.
double seconds_left(const ConfirmRequest& request);
// Nothing more is to be begun: it is over, or somebody has pressed Ctrl-C.
bool is_to_stop(const ConfirmRequest& request);

// Into the words of a report.
void tell(const Confirmation& found, report::Confirmation& told);

class Progress {
 public:
  explicit Progress(bool shows) : shows_(shows) {}
  ~Progress() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  const bool shows_;
  bool shown_ = false;
};

class ConfirmSession {
 public:
  ConfirmSession(ConfirmRequest request, Settings settings, report::Report& report);

  // Notes the state of each finding in the report. An error if the program cannot be steered at all; false if a
  // schedule could not be written, which was said.
  Result<bool> run();

 private:
  void confirm_all(explore::Program& program, const std::string& executable);
  void keep_if_it_replays(const report::Finding& finding, const Target& target, Confirmation& found,
                          report::Confirmation& told);
  void search(explore::Program& program, const std::string& executable);
  void refute(explore::Program& program, const std::string& executable);
  std::string schedule_path(std::size_t number) const;

  const ConfirmRequest request_;
  const Settings settings_;
  report::Report& report_;
  Progress progress_;
  bool written_ = true;  // every schedule
  std::shared_ptr<explore::ActorNames> names_;
  Effect::Kind worst_ = Effect::Kind::kNone;
};

}  // namespace heddle::confirm
