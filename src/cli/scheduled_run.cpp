#include "cli/scheduled_run.hpp"

#include "cli/child.hpp"
#include "cli/render.hpp"
#include "cli/watched_program.hpp"
#include "explore/program/replay_board.hpp"

namespace heddle::cli {

Result<ScheduledEnd> run_scheduled(Settings settings, const explore::Schedule& schedule) {
  if (auto set = settings.options.add_setting("serial=1", "heddle"); !set) return Error{set.error()};
  const Options& options = settings.options;
  auto suppressions = load_suppressions(options);
  if (!suppressions) return Error{suppressions.error()};
  const auto program = find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  const auto board = explore::ReplayBoard::create(schedule);
  if (!board) return Error{board.error()};
  auto log = LogFile::create(options.text("keep-log"));
  if (!log) return Error{log.error()};
  log->append(report::to_json_line(run_line(settings)));
  const auto end =
      run_child(program->path, settings.operands, watched_environment(*log, options, {board->variable()}));
  if (!end) return Error{end.error()};
  ScheduledEnd result{end->code, false, board->divergence()};
  if (!result.problem.empty()) return result;
  log->append(report::to_json_line(report::ExitLine{end->code, end->signal}));
  const auto raw = log->read();
  if (!raw) return Error{raw.error()};
  if (raw->processes.empty()) return Error{nothing_ran_message(*program, *end, "replayed")};
  const auto report = render(*raw, *suppressions, options);
  if (!report) return Error{report.error()};
  result.found = has_failed(*report, options);
  if (const u64 code = options.number("exit-code"); result.found && code != 0)
    result.code = static_cast<int>(code);
  return result;
}

}  // namespace heddle::cli
