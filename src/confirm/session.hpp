// The work of `heddle confirm` on the findings of a run: steers for each, writes the confirmed ones, and tries to
// refute the others.
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
  double most_seconds = 0;                      // for the first run, and again for all the rest; 0: no limit
  std::chrono::steady_clock::time_point begun;  // the rest
  std::string findings;                         // a raw log in place of a run; empty: none
  bool own_runtime = false;                     // use it though the verification runtime might work
};

// Time left after the first run; negative: none. Without a limit: very much.
double seconds_left(const ConfirmRequest& request);
// Start nothing more: the time is over, or the user interrupted.
bool is_to_stop(const ConfirmRequest& request);

// Translates into the words of a report.
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

  // Sets the state of each finding in the report. An error if the program cannot be steered at all; false if a
  // schedule could not be written, which was reported.
  Result<bool> run();

 private:
  void confirm_all(explore::Program& program, const std::string& executable);
  void keep_if_it_replays(const report::Finding& finding, const Target& target, Confirmation& found,
                          report::Confirmation& told);
  void search(explore::Program& program, const std::string& executable);
  void refute(explore::StartedProgram& started);
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
