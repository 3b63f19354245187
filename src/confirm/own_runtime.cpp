#include "confirm/own_runtime.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "confirm/finding_target.hpp"
#include "explore/program/shared_board.hpp"
#include "launch/checked_run.hpp"
#include "launch/watched_program.hpp"
#include "report/assemble.hpp"

namespace heddle::confirm {
namespace {

using control::Board;

class SteeringBoard {
 public:
  static Result<SteeringBoard> create() {
    const auto shared = explore::make_board();
    if (!shared) return Error{shared.error()};
    return SteeringBoard(*shared);
  }
  SteeringBoard(SteeringBoard&& other) noexcept : shared_(std::exchange(other.shared_, {})) {}
  ~SteeringBoard() {
    if (shared_.board) munmap(shared_.board, sizeof(Board));
    if (shared_.descriptor >= 0) ::close(shared_.descriptor);
  }
  Board& operator*() { return *shared_.board; }
  std::string variable() const {
    return std::string(control::kBoardDescriptor) + "=" + std::to_string(shared_.descriptor);
  }

 private:
  explicit SteeringBoard(explore::SharedBoard shared) : shared_(shared) {}
  explore::SharedBoard shared_;
};

// In the form of a steered execution.
explore::SteeredRun as_steered(const launch::ChildEnd& end, bool deadlocked) {
  explore::SteeredRun run;
  run.end = deadlocked ? explore::End::kDeadlock
            : end.late ? explore::End::kTooLong
                       : explore::End::kFinished;
  run.status = end.signal ? end.signal : end.code << 8;
  run.output = end.output;
  return run;
}

class OwnRuntime : public Tries {
 public:
  OwnRuntime(Settings settings, double most_seconds)
      : settings_(std::move(settings)), most_seconds_(most_seconds) {}

  // The finding that the next runs have to show.
  void look_for(const report::Finding& finding) { finding_ = &finding; }

  Result<explore::SteeredRun> run(const explore::SteerRequest& request) override {
    auto board = SteeringBoard::create();
    if (!board) return Error{board.error()};
    control::Steering& steering = (**board).steering;
    static_cast<control::SteeringInput&>(steering) = request.steering;
    if (!explore::put_places(**board, request.places))
      return Error{"too many code locations for its source lines"};
    const bool is_steered = steering.goal != control::Goal::kNone;
    std::vector<std::string> variables;
    if (is_steered) variables.push_back(board->variable());
    auto checked = launch::run_checked(
        settings_, {variables,
                    {launch::Addresses::kRandom, launch::Output::kCaptured, most_seconds_, 0, {}},
                    "checked"});
    if (!checked) return Error{checked.error()};
    checked->log.reported();  // the finding is known already, from the first run
    const bool reached = is_steered && is_reported(checked->raw, steering);
    explore::SteeredRun run = as_steered(checked->end, reached && finding_->as<report::Deadlock>());
    run.reached = reached;
    run.pauses = steering.pauses;
    run.thrashes =
        steering.releases;  // it is unknown whether all are paused: every pause that failed timed out
    return run;
  }
  bool follows_schedules() const override { return false; }
  std::string refusal(const Target& target) const override {
    return target.kind == Target::Kind::kAtomicity
               ? "atomicity violations are steered for on the verification runtime only"
               : "";
  }
  std::string plural() const override { return "runs on its own runtime"; }

 private:
  bool is_reported(const report::RawLog& raw, const control::Steering& steering) const {
    report::Suppressions none;
    const report::Report seen = report::assemble(raw, none, {true, 0});
    return finding_->as<report::Deadlock>() ? shows_happened(seen, *finding_)
                                            : steering.reached && shows(seen, *finding_);
  }

  const Settings settings_;
  const double most_seconds_;
  const report::Finding* finding_ = nullptr;
};

}  // namespace

Result<bool> confirm_on_own_runtime(const ConfirmRequest& request, const Settings& given,
                                    report::Report& report) {
  Settings settings = given;
  // Only with this do threads report the locks that they wait for, and does a deadlock end the run.
  for (const char* setting : {"serial=0", "halt-on-deadlock=1"})
    if (auto set = settings.options.add_setting(setting, "heddle"); !set) return Error{set.error()};
  const auto program = launch::find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  OwnRuntime runtime(settings, request.steering.step_timeout);
  Options options = request.steering.options;
  options.stops = [&] { return is_to_stop(request); };
  Confirmer confirmer(runtime, program->path, options);
  if (!confirmer.problem().empty()) return Error{confirmer.problem()};
  Progress progress(!settings.options.flag("quiet") && isatty(STDERR_FILENO));
  for (report::Finding& finding : report.findings) {
    if (is_to_stop(request)) break;
    if (!request.only.empty() && !request.only.contains(finding.number)) continue;
    progress.show("finding " + std::to_string(finding.number) + ", on its own runtime");
    runtime.look_for(finding);
    const Confirmation found = confirmer.confirm(target_of(finding, program->path));
    report::Confirmation& told = finding.confirmation.emplace();
    tell(found, told);
    if (found.state == Confirmation::State::kConfirmed)
      told.note = "on its own runtime, by holding threads back; there is no schedule";
  }
  return true;
}

}  // namespace heddle::confirm
