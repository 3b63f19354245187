#include "replay/scheduled_run.hpp"

#include "explore/program/replay_board.hpp"
#include "launch/checked_run.hpp"
#include "launch/render.hpp"
#include "launch/watched_program.hpp"
#include "replay/places.hpp"
#include "report/assemble.hpp"

namespace heddle::replay {

Result<Followed> follow_schedule(Settings settings, const explore::Schedule& schedule,
                                 const FollowOptions& how) {
  if (auto set = settings.options.add_setting("serial=1", "heddle"); !set) return Error{set.error()};
  const auto program = launch::find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  const auto places = find_places(program->path, std::span(schedule.sites));
  if (!places) return Error{"the schedule does not fit the program: " + places.error()};
  const auto board = explore::ReplayBoard::create(schedule, *places);
  if (!board) return Error{board.error()};
  auto run = launch::run_checked(
      settings,
      {{board->variable()}, {launch::Addresses::kRandom, how.output, how.most_seconds, 0, {}}, "replayed"});
  if (!run) return Error{run.error()};
  return Followed{std::move(*run), board->divergence()};
}

Result<ScheduledEnd> run_scheduled(const Settings& settings, const explore::Schedule& schedule) {
  auto suppressions = launch::load_suppressions(settings.options);
  if (!suppressions) return Error{suppressions.error()};
  auto followed = follow_schedule(settings, schedule, {});
  if (!followed) return Error{followed.error()};
  ScheduledEnd result{followed->run.end.code, false, followed->problem};
  if (!result.problem.empty()) return result;
  const settings::Options& options = settings.options;
  const auto report = launch::render(followed->run.raw, *suppressions, options);
  if (!report) return Error{report.error()};
  followed->run.log.reported();
  if (!followed->run.problem.empty()) return Error{followed->run.problem};
  result.found = launch::has_failed(*report, options);
  if (const u64 code = options.number("exit-code"); result.found && code != 0)
    result.code = static_cast<int>(code);
  return result;
}

Result<report::Report> report_of_schedule(const Settings& settings, const explore::Schedule& schedule,
                                          double most_seconds) {
  auto followed = follow_schedule(settings, schedule, {launch::Output::kDropped, most_seconds});
  if (!followed) return Error{followed.error()};
  followed->run.log.reported();  // the finding is known already, from the run before
  if (!followed->problem.empty()) return Error{followed->problem};
  if (followed->run.end.late) return Error{"it does not end"};
  report::Suppressions none;
  return report::assemble(followed->run.raw, none, {true, 0});
}

}  // namespace heddle::replay
