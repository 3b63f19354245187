// heddle confirm: predicts, then steers the program's schedule until each finding is confirmed or refuted.
//
// The prediction is a normal run. Then the program starts once under the verification runtime, and is forked for each
// try (confirm_session.hpp).
#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "cli/verb.hpp"
#include "confirm/own_runtime.hpp"
#include "confirm/session.hpp"
#include "launch/checked_run.hpp"
#include "launch/render.hpp"
#include "launch/watched_program.hpp"
#include "report/assemble.hpp"
#include "report/confirmation_table.hpp"

namespace heddle::cli {
namespace {

Result<confirm::ConfirmRequest> request_of(const Options& options) {
  confirm::ConfirmRequest request;
  auto steering = confirm::steering_of(options);
  if (!steering) return Error{steering.error()};
  request.steering = *steering;
  for (const std::uint64_t number : options.numbers("finding")) request.only.insert(number);
  request.refuter.most_orders = options.number("refute-orders");
  request.most_seconds = options.seconds("timeout");
  request.own_runtime = options.flag("own-runtime");
  request.findings = options.text("findings");
  return request;
}

struct Prediction {
  report::RawLog raw;
  std::optional<launch::LogFile> log;  // of a run of our own
};

// The findings of a run: of this one, or of a kept raw log.
Result<Prediction> predict(const confirm::ConfirmRequest& request, const Settings& settings) {
  if (!request.findings.empty()) {
    auto raw = report::read_raw_log_file(request.findings);
    if (!raw) return raw.failure();
    return Prediction{std::move(*raw), std::nullopt};
  }
  Settings first = settings;
  // A run that deadlocks would never end.
  if (auto set = first.options.add_setting("halt-on-deadlock=1", "heddle"); !set) return Error{set.error()};
  launch::CheckedRunOptions how;
  how.child.most_seconds = request.most_seconds;
  auto checked = launch::run_checked(first, how);
  if (!checked) return Error{checked.error()};
  if (checked->end.late) say("the first run reached its time limit; its findings so far are used");
  if (!checked->problem.empty()) return Error{checked->problem};
  return Prediction{std::move(checked->raw), std::move(checked->log)};
}

Result<bool> steer(const confirm::ConfirmRequest& request, const Settings& settings, report::Report& report) {
  const auto program = launch::find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  if (request.own_runtime || launch::unfit_for_serial(*program))
    return confirm::confirm_on_own_runtime(request, settings, report);
  return confirm::ConfirmSession(request, settings, report).run();
}

int exit_code(const report::Report& report, const Options& options, bool left_out) {
  const std::string fail_on = options.text("fail-on");
  if (fail_on == "none") return 0;
  const bool undecided = report::count_state(report, "undecided") > 0 || left_out;
  // A deadlock of the first run needs no confirmation.
  const bool stalled = std::any_of(report.stalls.begin(), report.stalls.end(),
                                   [](const report::Stall& stall) { return stall.is_bug(); });
  if (stalled || report::count_state(report, "confirmed") > 0 || (undecided && fail_on == "predicted"))
    return static_cast<int>(options.number("exit-code"));
  return undecided ? kUndecided : 0;
}

int run(Settings& settings) {
  auto asked = request_of(settings.options);
  if (!asked) return fail(asked.error());
  confirm::ConfirmRequest& request = *asked;
  if (settings.operands.empty()) return fail("heddle confirm needs a program; see heddle confirm --help");
  std::error_code problem;
  std::filesystem::create_directories(request.steering.out, problem);
  if (problem) return fail("cannot make '" + request.steering.out + "': " + problem.message());
  auto suppressions = launch::load_suppressions(settings.options);
  if (!suppressions) return fail(suppressions.error());
  auto predicted = predict(request, settings);
  if (!predicted) return fail(predicted.failure());
  const report::RawLog& raw = predicted->raw;
  const std::string missing = request.findings.empty() ? "" : report::what_is_missing(raw);
  if (!missing.empty()) {
    const std::string where = "'" + request.findings + "': " + missing;
    if (raw.processes.empty()) return fail_input(where);
    say(where + "; the findings may be incomplete");
  }
  report::Report report =
      report::assemble(raw, *suppressions, {true, settings.options.number("max-reports")});

  confirm::stop_at_signals();
  request.begun = std::chrono::steady_clock::now();
  bool has_written = true;
  if (!report.findings.empty() || request.steering.options.wanted != confirm::Effect::Kind::kNone) {
    const auto steered = steer(request, settings, report);
    if (!steered) return fail(steered.error());
    has_written = *steered;
  }
  if (auto set = settings.options.add_setting("predicted=1", "heddle"); !set) return fail(set.error());
  if (auto written = launch::write_reports(report, settings.options); !written) return fail(written.error());
  if (predicted->log) predicted->log->reported();
  if (!report.findings.empty() || report.search) {
    std::ostringstream table;
    table.exceptions(std::ios::badbit);
    report::write_confirmation_table(table, report);
    output::show(table.str());
  }
  if (!has_written) return kUsageError;
  const int code = exit_code(report, settings.options, request.only.empty() && confirm::is_to_stop(request));
  if (code == 0 && !missing.empty()) return kDamagedInput;
  return code == 0 && !report.not_analysed.empty() && report.exit_code == kIncomplete ? kIncomplete : code;
}

}  // namespace

const Verb kConfirmVerb{"confirm",
                        options::kConfirm,
                        Operands::kProgram,
                        "predict bugs, then steer the schedule until each is shown, and write that schedule",
                        "[options] PROGRAM [arguments]",
                        "Runs the program as heddle run does. Then, for each finding, executes it again and "
                        "again on the verification "
                        "runtime, and steers it to the places of the finding. Each finding is confirmed "
                        "(bug-N.schedule shows it), refuted "
                        "(every order was explored, and none has it) or undecided. Without --timeout, only "
                        "exploring is limited: to 20 "
                        "seconds. Exit code: 66 if something was confirmed, else 4 if something is "
                        "undecided, else 0; 2 if it cannot be "
                        "steered.",
                        "  heddle confirm ./app 4\n"
                        "  heddle confirm --finding=3 --stop-on=crash --tries=1000 ./app 4\n"
                        "  heddle replay bug-3.schedule ./app 4            shows it again\n",
                        run,
                        confirm::strategies_help};

}  // namespace heddle::cli
