#include "confirm/own_runtime.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "confirm/finding_target.hpp"
#include "confirm/places.hpp"
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

// As the effects of steered executions are told.
explore::SteeredRun as_steered(const launch::ChildEnd& end, bool deadlocked) {
  explore::SteeredRun run;
  run.end = deadlocked ? explore::End::kDeadlock
            : end.late ? explore::End::kTooLong
                       : explore::End::kFinished;
  run.status = end.signal ? end.signal : end.code << 8;
  run.output = end.output;
  return run;
}

struct Try {
  bool shown = false;
  u32 releases = 0;
  Effect effect;
};

class OwnRuntime {
 public:
  OwnRuntime(const ConfirmRequest& request, Settings settings, std::string executable)
      : request_(request), settings_(std::move(settings)), executable_(std::move(executable)) {}

  // How it is when nobody is held back, twice: what it prints may differ anyway.
  Result<bool> begin() {
    for (explore::SteeredRun* run : {&usual_, &again_}) {
      const auto checked = launch::run_checked(settings_, {{}, how(), "checked"});
      if (!checked) return Error{checked.error()};
      *run = as_steered(checked->end, false);
    }
    return true;
  }

  Result<Try> run(const report::Finding& finding, const Target& target,
                  std::span<const control::Place> places, u32 number) {
    auto board = SteeringBoard::create();
    if (!board) return Error{board.error()};
    control::Steering& steering = (**board).steering;
    const bool is_deadlock = finding.as<report::Deadlock>() != nullptr;
    steering.goal = is_deadlock ? control::Goal::kDeadlock : control::Goal::kRace;
    steering.seed = request_.steering.options.seed + number;
    steering.swapped = number % 2;
    const bool relaxed = !request_.steering.options.strict && number >= request_.steering.options.tries / 2;
    steering.ignores_context = relaxed || !request_.steering.options.context;
    steering.never_yields = !request_.steering.options.yields;
    for (usize i = 0; i < target.edges.size(); ++i)
      steering.edge[i] = {relaxed ? 0 : target.edges[i].lock, relaxed ? 0 : target.edges[i].task,
                          static_cast<u32>(target.edges[i].held.size())};
    if (!explore::put_places(**board, places)) return Error{"its lines are at too many places"};
    const auto checked = launch::run_checked(settings_, {{board->variable()}, how(), "checked"});
    if (!checked) return Error{checked.error()};
    report::Suppressions none;
    const report::Report seen = report::assemble(checked->raw, none, {true, 0});
    Try result;
    result.releases = steering.releases;
    result.shown = is_deadlock ? shows_happened(seen, finding)
                               : steering.reached && shows(seen, finding);
    result.effect = effect_of(as_steered(checked->end, is_deadlock && result.shown), usual_,
                                       usual_.output == again_.output);
    return result;
  }

 private:
  launch::ChildOptions how() const {
    return {launch::Addresses::kRandom, launch::Output::kCaptured, request_.steering.patience, 0, {}};
  }

  const ConfirmRequest& request_;
  const Settings settings_;
  const std::string executable_;
  explore::SteeredRun usual_, again_;
};

report::Confirmation confirm_one(OwnRuntime& runtime, const report::Finding& finding,
                                 const std::string& executable, const ConfirmRequest& request) {
  const Options& options = request.steering.options;
  report::Confirmation told;
  told.state = "undecided";
  const Target target = target_of(finding, executable);
  if (finding.as<report::Violation>())
    told.why = "atomicity violations are steered for on the verification runtime only";
  if (!target.problem.empty()) told.why = target.problem;
  const auto places = find_places(executable, target);
  if (!places) told.why = places.error();
  if (!told.why.empty()) return told;
  Effect::Kind worst = Effect::Kind::kNone;
  for (u32 i = 0; i < options.tries && !is_to_stop(request); ++i) {
    const bool confirmed = told.state == "confirmed";
    const auto tried = runtime.run(finding, target, *places, i);
    ++told.executions;
    if (!confirmed) ++told.tries;
    if (!tried) {
      told.why = tried.error();
      break;
    }
    if (!confirmed) told.thrashes += tried->releases;
    if (!tried->shown) continue;
    if (!confirmed || tried->effect.kind > worst) told.effect = tried->effect.text;
    worst = std::max(worst, tried->effect.kind);
    told.state = "confirmed";
    if (worst >= options.wanted) break;
  }
  if (told.state == "confirmed")
    told.note = "on its own runtime, by holding threads back; there is no schedule";
  else if (told.why.empty())
    told.why = "not shown in " + std::to_string(told.tries) + " runs on its own runtime";
  return told;
}

}  // namespace

Result<bool> confirm_on_own_runtime(const ConfirmRequest& request, const Settings& given,
                                    report::Report& report) {
  Settings settings = given;
  // Only then threads tell of the locks that they wait for, and a deadlock ends the run.
  for (const char* setting : {"serial=0", "halt-on-deadlock=1"})
    if (auto set = settings.options.add_setting(setting, "heddle"); !set) return Error{set.error()};
  const auto program = launch::find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  OwnRuntime runtime(request, settings, program->path);
  if (const auto begun = runtime.begin(); !begun) return Error{begun.error()};
  Progress progress(!settings.options.flag("quiet") && isatty(STDERR_FILENO));
  for (report::Finding& finding : report.findings) {
    if (is_to_stop(request)) break;
    if (!request.only.empty() && !request.only.contains(finding.number)) continue;
    progress.show("finding " + std::to_string(finding.number) + ", on its own runtime");
    finding.confirmation = confirm_one(runtime, finding, program->path, request);
  }
  return true;
}

}  // namespace heddle::confirm
