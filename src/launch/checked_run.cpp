#include "launch/checked_run.hpp"

#include "launch/atomic_option.hpp"
#include "launch/log_file.hpp"
#include "launch/watched_program.hpp"

namespace heddle::launch {
namespace {

// --atomic for the program, as environment variables.
Result<std::vector<std::string>> what_is_atomic(const Options& options, const WatchedProgram& program) {
  const std::string texts = options.text("atomic");
  if (texts.empty()) return std::vector<std::string>{};
  if (options.text("check").find("atomicity") == std::string::npos)
    return Error{"--atomic needs --check=atomicity, or --check=race,atomicity"};
  AtomicOption named;
  if (std::string wrong = named.add_all(texts, /*with_regions=*/true); !wrong.empty()) return Error{wrong};
  if (program.kind != ProgramKind::Heddle && named.needs_program())
    return Error{"--atomic: '" + program.name + "' was not built with Heddle, so its names mean nothing"};
  const auto places = named.for_program(program.path);
  if (!places) return Error{places.error()};
  return std::vector{"HEDDLE_ATOMIC_PLACES=" + *places};
}

// Processes with Heddle's runtime that have not ended properly.
std::vector<int> running_processes(const LogFile& log) {
  std::vector<int> result;
  if (const auto raw = log.read())
    for (const report::Process& process : raw->processes)
      if (!process.end_reason) result.push_back(static_cast<int>(process.pid));
  return result;
}

}  // namespace

Result<CheckedRun> run_checked(const Settings& settings, const CheckedRunOptions& how) {
  const Options& options = settings.options;
  const auto program = find_watched(settings.operands.front(), options.flag("quiet"));
  if (!program) return Error{program.error()};
  if (options.flag("serial"))
    if (const auto unfit = unfit_for_serial(*program)) return Error{*unfit};
  auto variables = what_is_atomic(options, *program);
  if (!variables) return Error{variables.error()};
  variables->insert(variables->end(), how.variables.begin(), how.variables.end());

  auto log = LogFile::create(options.text("keep-log"));
  if (!log) return Error{log.error()};
  if (const std::string problem = log->append(report::to_json_line(run_line(settings))); !problem.empty())
    return Error{problem};
  ChildOptions child = how.child;
  child.processes = [&] { return running_processes(*log); };
  if (child.most_hanging == 0) child.most_hanging = options.seconds("hang-after");
  const auto environment = watched_environment(*log, options, *variables);
  log->watch();
  const auto end = run_child(program->path, settings.operands, environment, child);
  if (!end) return Error{end.error()};
  const report::ExitLine exit{end->code, end->signal};
  std::string unwritten = log->append(report::to_json_line(exit));
  if (options.text("keep-log").empty()) unwritten.clear();  // it is for us only, and we know
  auto raw = log->read();
  if (!raw) return Error{raw.error()};
  raw->exit = exit;
  if (raw->processes.empty()) return Error{nothing_ran_message(*program, *end, how.done)};
  return CheckedRun{*end, std::move(*raw), std::move(*log), std::move(unwritten)};
}

}  // namespace heddle::launch
