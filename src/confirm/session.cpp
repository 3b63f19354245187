// A confirmed finding is written as a schedule and replayed in a checked run: it counts only if that run reports it,
// too.
#include "confirm/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>

#include "confirm/finding_target.hpp"
#include "confirm/witness_text.hpp"
#include "output/printable.hpp"
#include "output/text_file.hpp"
#include "replay/scheduled_run.hpp"

namespace heddle::confirm {
namespace {

using State = Confirmation::State;

const char* word(State state) {
  return state == State::kConfirmed ? "confirmed" : state == State::kRefuted ? "refuted" : "undecided";
}

bool is_open(const report::Finding& finding) {
  return finding.confirmation && finding.confirmation->state == "undecided";
}

void note_exploration(const Exploration& all, const std::vector<std::string>& assumptions,
                      report::Finding& finding) {
  report::Confirmation& told = *finding.confirmation;
  if (finding.as<report::Deadlock>() && all.deadlocks > 0) {
    told.why += "; " + std::to_string(all.deadlocks) + " of the orders end in some deadlock";
  } else if (!all.incomplete.empty()) {
    told.why += "; " + all.incomplete;
  } else if (all.seen) {
    told.why += "; it is in one of the orders that were explored";
  } else {
    told.state = "refuted";
    told.why = "in none of all " + std::to_string(all.orders) + " orders";
    for (const std::string& assumption : assumptions) told.why += "; assumes that " + assumption;
  }
}

double seconds_of(const ConfirmRequest& request) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - request.begun).count();
}

}  // namespace

void tell(const Confirmation& found, report::Confirmation& told) {
  told.state = word(found.state);
  told.why = found.why;
  told.effect = found.effect.text;
  if (found.other_order) told.other_order = found.other_order->text;
  if (found.state == State::kConfirmed && found.never_met)
    told.note =
        "unordered but never simultaneous: one came after the other, and nothing orders them; an effect is "
        "visible only on weaker memory models";
  told.tries = found.tries;
  told.executions = found.executions;
  told.thrashes = found.thrashes;
}

double seconds_left(const ConfirmRequest& request) {
  return request.most_seconds > 0 ? request.most_seconds - seconds_of(request)
                                  : std::numeric_limits<double>::infinity();
}

bool is_to_stop(const ConfirmRequest& request) {
  return steering_interrupted != 0 || seconds_left(request) <= 0;
}

void Progress::show(const std::string& text) {
  if (!shows_) return;
  std::fprintf(stderr, "\rheddle: %s\033[K", output::printable(text).c_str());
  shown_ = true;
}
void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

ConfirmSession::ConfirmSession(ConfirmRequest request, Settings settings, report::Report& report)
    : request_(std::move(request)),
      settings_(std::move(settings)),
      report_(report),
      progress_(!settings_.options.flag("quiet") && isatty(STDERR_FILENO)) {}

Result<bool> ConfirmSession::run() {
  Settings steered = settings_;
  auto exploration =
      start_steered(steered, request_.steering, std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  if (!exploration) return Error{exploration.error()};
  explore::Program& program = *exploration->program;
  if (program.sequential())
    return Error{"under the verification runtime '" + settings_.operands.front() +
                 "' does nothing in parallel"};
  names_ = program.executors().front()->names;
  program.executors().front()->unwanted = [this] { return is_to_stop(request_); };
  confirm_all(program, exploration->watched.path);
  search(program, exploration->watched.path);
  if (std::any_of(report_.findings.begin(), report_.findings.end(), is_open)) refute(*exploration);
  return written_;
}

void ConfirmSession::confirm_all(explore::Program& program, const std::string& executable) {
  std::size_t now = 0;
  Options options = request_.steering.options;
  options.stops = [this] { return is_to_stop(request_); };
  options.tried = [&](u32 tries) {
    progress_.show("finding " + std::to_string(now) + ": try " + std::to_string(tries) + " of " +
                   std::to_string(options.tries));
  };
  VerificationRuntime tries(program);
  Confirmer confirmer(tries, executable, options);
  for (report::Finding& finding : report_.findings) {
    if (is_to_stop(request_)) return;
    if (!request_.only.empty() && !request_.only.contains(finding.number)) continue;
    now = finding.number;
    const Target target = target_of(finding, executable);
    Confirmation found = confirmer.confirm(target);
    report::Confirmation& told = finding.confirmation.emplace();
    if (found.state == State::kConfirmed) keep_if_it_replays(finding, target, found, told);
    if (found.state == State::kConfirmed) worst_ = std::max(worst_, found.effect.kind);
    tell(found, told);
  }
  progress_.clear();
}

void ConfirmSession::keep_if_it_replays(const report::Finding& finding, const Target& target,
                                        Confirmation& found, report::Confirmation& told) {
  const explore::Schedule schedule = schedule_of(target, found, *names_, settings_.operands);
  const auto seen =
      replay::report_of_schedule(settings_, schedule,
                                 std::clamp(seconds_left(request_), request_.steering.step_timeout,
                                            replay::most_replaying(request_.steering.step_timeout)));
  if (!seen || !shows(*seen, finding, found.never_met)) {
    found.state = State::kUndecided;
    found.why = found.never_met ? "the two accesses were never simultaneous, and are ordered in every "
                                  "schedule that has both"
                : seen ? "it was shown once, but a checked run that follows its schedule does not report it"
                       : "it was shown once, but its schedule cannot be followed: " + seen.error();
    return;
  }
  told.schedule = schedule_path(finding.number);
  written_ &= output::write_text(told.schedule, explore::to_text(schedule));
}

// No finding has the wanted effect: random schedules may have it. Nothing is predicted about orders that atomic
// operations decide.
void ConfirmSession::search(explore::Program& program, const std::string& executable) {
  const auto wanted = request_.steering.options.wanted;
  if (wanted == Effect::Kind::kNone || worst_ >= wanted || !request_.only.empty() || is_to_stop(request_))
    return;
  Options options = request_.steering.options;
  options.stops = [this] { return is_to_stop(request_); };
  options.tried = [&](u32 tries) { progress_.show("search: try " + std::to_string(tries)); };
  Target target;
  target.kind = Target::Kind::kEffect;
  target.headline = "what --stop-on asks for";
  VerificationRuntime tries(program);
  const Confirmation found = Confirmer(tries, executable, options).confirm(target);
  progress_.clear();
  report::Confirmation& told = report_.search.emplace();
  tell(found, told);
  if (found.state != State::kConfirmed) return;
  told.schedule = schedule_path(0);
  written_ &= output::write_text(told.schedule,
                                 explore::to_text(schedule_of(target, found, *names_, settings_.operands)));
}

std::string ConfirmSession::schedule_path(std::size_t number) const {
  return (std::filesystem::path(request_.steering.out) / ("bug-" + std::to_string(number) + ".schedule"))
      .lexically_normal()
      .string();
}

void ConfirmSession::refute(explore::StartedProgram& started) {
  explore::Program& program = *started.program;
  const std::string& executable = started.watched.path;
  if (request_.refuter.most_orders == 0) return;
  RefuterOptions options = request_.refuter;
  options.stops = [this] { return is_to_stop(request_); };
  // For all of them together.
  const double deadline = seconds_of(request_) + request_.refuter.most_seconds;
  std::optional<Exploration> all;  // for races and deadlocks alike
  for (report::Finding& finding : report_.findings) {
    if (!is_open(finding) || is_to_stop(request_)) continue;
    options.most_seconds = std::min(seconds_left(request_), deadline - seconds_of(request_));
    if (options.most_seconds <= 0) continue;
    progress_.show("exploring all orders");
    const bool violation = finding.as<report::Violation>() != nullptr;
    if (!violation && !all) all = explore_all(program, options);
    const Exploration explored =
        violation ? explore_all(program, options, target_of(finding, executable), executable) : *all;
    note_exploration(explored, explore::assumptions(started, program.assumptions()), finding);
  }
  progress_.clear();
}

}  // namespace heddle::confirm
