// heddle confirm: predict, then steer the program's schedule until each finding is shown, or shown to be impossible.
//
// The prediction is an ordinary run. Then the program is started once under the verification runtime, and forked for each try. What is
// confirmed is written at once, as a schedule, and replayed in a checked run: it counts only if that reports the finding, too.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <set>
#include <thread>

#include "cli/checked_run.hpp"
#include "cli/render.hpp"
#include "cli/scheduled_run.hpp"
#include "cli/steered_program.hpp"
#include "cli/text_file.hpp"
#include "cli/verb.hpp"
#include "confirm/witness_text.hpp"
#include "explore/explorer.hpp"
#include "report/assemble.hpp"

namespace heddle::cli {
namespace {

using confirm::Confirmation;
using confirm::Target;
using State = Confirmation::State;

// Something is neither confirmed nor refuted.
constexpr int kUndecided = 4;

std::string help() {
  return "heddle confirm: predict bugs, then steer the schedule until each is shown, and write that "
         "schedule\n"
         "\n"
         "usage: heddle confirm [options] PROGRAM [arguments]\n"
         "\n"
         "Runs the program as heddle run does. Then, for each finding, it is executed again and again under "
         "the "
         "verification\n"
         "runtime, and steered to where the finding says. Each one is confirmed (bug-N.schedule shows it), "
         "refuted (every order\n"
         "was explored, and it is in none) or undecided. Exit code: 66 if something was confirmed, else 4 if "
         "something is\n"
         "undecided, else 0; 2 if it cannot be steered.\n"
         "\n"
         "  --finding=N           only that one; may be repeated\n" +
         steering_help() +
         "  --max-orders=N        explore so many orders, at most, to refute what was not confirmed "
         "(default: "
         "2000; 0: none)\n"
         "  --timeout=SECONDS     for that, at most (default: 20)\n"
         "\n"
         "and those of heddle run:\n" +
         options_help(Consumer::Tool) +
         "\n"
         "examples:\n"
         "  heddle confirm ./app 4\n"
         "  heddle confirm --finding=3 --stop-on=crash --tries=1000 ./app 4\n"
         "  heddle replay bug-3.schedule ./app 4            shows it again\n";
}

// --- the command line ------------------------------------------------------------------------------------------------------

struct Request {
  SteeringRequest steering;
  std::set<std::size_t> only;
  u64 most_orders = 2000;
  double most_seconds = 20;
  Arguments others;
};

template <class Number>
Result<Number> number_of(const std::string& name, const std::string& value) {
  Number number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    return Error{name + " needs a number, not '" + value + "'"};
  return number;
}

Result<Request> parse(const Arguments& arguments) {
  Request request;
  usize i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("-") && arguments[i] != "--"; ++i) {
    const auto [name, value] = split_option(arguments[i]);
    const auto taken = take_steering_option(request.steering, name, value);
    if (!taken) return Error{taken.error()};
    if (*taken) continue;
    if (name == "--finding") {
      const auto number = number_of<std::size_t>(name, value);
      if (!number) return Error{number.error()};
      request.only.insert(*number);
    } else if (name == "--max-orders") {
      const auto number = number_of<u64>(name, value);
      if (!number) return Error{number.error()};
      request.most_orders = *number;
    } else if (name == "--timeout") {
      const auto number = number_of<double>(name, value);
      if (!number) return Error{number.error()};
      request.most_seconds = *number;
    } else {
      request.others.push_back(arguments[i]);
    }
  }
  request.others.insert(request.others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                        arguments.end());
  return request;
}

// --- findings --------------------------------------------------------------------------------------------------------------

Target target_of(const report::Finding& finding, const std::string& executable) {
  Target target;
  target.number = finding.number;
  target.headline = finding.headline;
  if (finding.deadlock) {
    target.kind = Target::Kind::kDeadlock;
    for (const report::Deadlock::Edge& edge : finding.deadlock->edges) {
      const auto site = report::name_site(executable, edge.wants);
      if (!site) target.problem = site.error();
      if (site) target.sites.push_back(*site);
    }
    return target;
  }
  std::vector<const report::Access*> accesses = {&finding.first, &finding.second};
  if (finding.violation) {
    target.kind = Target::Kind::kAtomicity;
    target.any_address = !finding.violation->group.empty();
    accesses.push_back(&finding.violation->last);
  }
  for (const report::Access* access : accesses) {
    const auto site = report::name_site(executable, *access);
    if (!site) {
      target.problem = site.error();
      break;
    }
    target.sites.push_back(*site);
  }
  return target;
}

bool same_place(const report::Access& a, const report::Access& b) {
  const report::Frame *x = a.stack.user_frame(), *y = b.stack.user_frame();
  return x && y && x->file == y->file && x->line == y->line && x->function == y->function;
}

// Does the report of the replay have it?
bool reports(const report::Report& report, const report::Finding& wanted) {
  if (wanted.deadlock) return !report.stalls.empty();
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
    if (finding.deadlock || finding.violation.has_value() != wanted.violation.has_value()) return false;
    if (wanted.violation && !same_place(finding.violation->last, wanted.violation->last)) return false;
    return (same_place(finding.first, wanted.first) && same_place(finding.second, wanted.second)) ||
           (!wanted.violation && same_place(finding.first, wanted.second) &&
            same_place(finding.second, wanted.first));
  });
}

const char* word(State state) {
  return state == State::kConfirmed ? "confirmed" : state == State::kRefuted ? "refuted" : "undecided";
}

// --- the verb ----------------------------------------------------------------------------------------------------------------

// Every class of orders, unless a bound comes first. Stops at the first race: an order that depends on a race is not explored.
class Refuter : public explore::Listener {
 public:
  bool stops() override { return steering_interrupted; }

  // Why nothing is refuted; empty if everything is.
  std::string run(explore::Program& program, const Request& request) {
    std::vector<explore::Executor*> executors;
    for (auto& executor : program.executors()) {
      executor->names = program.executors().front()->names;
      executors.push_back(executor.get());
    }
    explore::Options options;
    options.most_executions = request.most_orders;
    options.most_seconds = request.most_seconds;
    const explore::Outcome outcome = explore::explore(executors, options, *this);
    orders = outcome.statistics.executions;
    deadlocks = outcome.statistics.deadlocks;
    if (outcome.statistics.racy) return "other races decide what the program does";
    if (outcome.verdict == explore::Verdict::kComplete) return "";
    return "not all orders could be explored (" + std::to_string(orders) + " were)";
  }
  u64 orders = 0, deadlocks = 0;
};

class Progress {
 public:
  explicit Progress(bool shows) : shows_(shows) {}
  ~Progress() { clear(); }
  void show(const std::string& text) {
    if (!shows_) return;
    std::fprintf(stderr, "\rheddle: %s\033[K", text.c_str());
    shown_ = true;
  }
  void clear() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
    shown_ = false;
  }

 private:
  const bool shows_;
  bool shown_ = false;
};

class ConfirmSession {
 public:
  ConfirmSession(Request request, Settings settings, report::Report& report)
      : request_(std::move(request)),
        settings_(std::move(settings)),
        report_(report),
        progress_(!settings_.options.flag("quiet") && isatty(STDERR_FILENO)) {}

  // An error if the program cannot be steered at all.
  Result<bool> run() {
    Settings steered = settings_;
    auto exploration =
        start_steered(steered, request_.steering, std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
    if (!exploration) return Error{exploration.error()};
    explore::Program& program = *exploration->program;
    if (program.sequential())
      return Error{"under the verification runtime '" + settings_.operands.front() +
                   "' does nothing in parallel"};
    names_ = program.executors().front()->names;
    confirm_all(program, exploration->watched.path);
    if (request_.steering.options.wanted != confirm::Effect::Kind::kNone)
      search(program, exploration->watched.path);
    if (std::any_of(report_.findings.begin(), report_.findings.end(),
                    [](const report::Finding& f) { return is_open(f); }))
      refute(program);
    return true;
  }

 private:
  static bool is_open(const report::Finding& finding) {
    return finding.confirmation && finding.confirmation->state == "undecided" && !finding.violation;
  }

  void confirm_all(explore::Program& program, const std::string& executable) {
    std::size_t now = 0;
    confirm::Options options = request_.steering.options;
    options.stops = [] { return steering_interrupted != 0; };
    options.tried = [&](u32 tries) {
      progress_.show("finding " + std::to_string(now) + ": try " + std::to_string(tries) + " of " +
                     std::to_string(options.tries));
    };
    confirm::Confirmer confirmer(program, executable, options);
    for (report::Finding& finding : report_.findings) {
      if (steering_interrupted) return;
      if (!request_.only.empty() && !request_.only.contains(finding.number)) continue;
      now = finding.number;
      const Target target = target_of(finding, executable);
      Confirmation found = confirmer.confirm(target);
      report::Confirmation& told = finding.confirmation.emplace();
      if (found.state == State::kConfirmed) write_schedule(finding, target, found, told);
      if (found.state == State::kConfirmed) worst_ = std::max(worst_, found.effect.kind);
      told.state = word(found.state);
      told.why = found.why;
      told.effect = found.effect.text;
      if (found.other_order) told.other_order = found.other_order->text;
      told.tries = found.tries;
      told.executions = found.executions;
      told.thrashes = found.thrashes;
    }
    progress_.clear();
  }

  // It counts only if an ordinary checked run that follows it says the same.
  void write_schedule(const report::Finding& finding, const Target& target, Confirmation& found,
                      report::Confirmation& told) {
    const explore::Schedule schedule = confirm::schedule_of(target, found, *names_, settings_.operands);
    const auto seen = report_of_schedule(settings_, schedule);
    if (!seen || !reports(*seen, finding)) {
      found.state = State::kUndecided;
      found.why = seen ? "it was shown once, but a checked run that follows its schedule does not report it"
                       : "it was shown once, but its schedule cannot be followed: " + seen.error();
      return;
    }
    told.schedule = schedule_path(finding.number);
    write_text(told.schedule, explore::to_text(schedule));
  }

  // No finding does to the program what is looked for: perhaps chance does. Nothing is predicted of orders that atomic operations decide.
  void search(explore::Program& program, const std::string& executable) {
    if (worst_ >= request_.steering.options.wanted || !request_.only.empty() || steering_interrupted) return;
    confirm::Options options = request_.steering.options;
    options.stops = [] { return steering_interrupted != 0; };
    options.tried = [&](u32 tries) { progress_.show("search: try " + std::to_string(tries)); };
    Target target;
    target.kind = Target::Kind::kEffect;
    target.headline = "what --stop-on asks for";
    const Confirmation found = confirm::Confirmer(program, executable, options).confirm(target);
    progress_.clear();
    report::Confirmation& told = report_.search.emplace();
    told.state = word(found.state);
    told.tries = found.tries;
    told.executions = found.executions;
    told.why = found.why;
    if (found.state != State::kConfirmed) return;
    told.effect = found.effect.text;
    told.schedule = schedule_path(0);
    write_text(told.schedule,
               explore::to_text(confirm::schedule_of(target, found, *names_, settings_.operands)));
  }

  std::string schedule_path(std::size_t number) const {
    return (std::filesystem::path(request_.steering.out) / ("bug-" + std::to_string(number) + ".schedule"))
        .lexically_normal()
        .string();
  }

  void refute(explore::Program& program) {
    if (request_.most_orders == 0 || steering_interrupted) return;
    progress_.show("exploring all orders");
    Refuter refuter;
    const std::string why = refuter.run(program, request_);
    progress_.clear();
    for (report::Finding& finding : report_.findings) {
      if (!is_open(finding)) continue;
      report::Confirmation& told = *finding.confirmation;
      if (finding.deadlock && refuter.deadlocks > 0) {
        told.why += "; " + std::to_string(refuter.deadlocks) + " of the orders end in some deadlock";
      } else if (why.empty()) {
        told.state = "refuted";
        told.why = "in none of all " + std::to_string(refuter.orders) + " orders";
      } else {
        told.why += "; " + why;
      }
    }
  }

  const Request request_;
  const Settings settings_;
  report::Report& report_;
  Progress progress_;
  std::shared_ptr<explore::ActorNames> names_;
  confirm::Effect::Kind worst_ = confirm::Effect::Kind::kNone;
};

void print_row(const std::string& number, const char* kind, const report::Confirmation& told) {
  std::string effect = told.state != "confirmed" ? told.why
                       : told.effect.empty()     ? "no visible effect"
                                                 : told.effect;
  if (!told.schedule.empty()) effect += " (" + told.schedule + ")";
  std::fprintf(stderr, "%-8s %-20s %-10s %6llu  %s\n", number.c_str(), kind, told.state.c_str(),
               static_cast<unsigned long long>(told.tries), effect.c_str());
}

void print_table(const report::Report& report) {
  std::fprintf(stderr, "\n%-8s %-20s %-10s %6s  %s\n", "finding", "kind", "state", "tries", "effect");
  for (const report::Finding& finding : report.findings)
    if (finding.confirmation)
      print_row(std::to_string(finding.number),
                finding.deadlock    ? "deadlock"
                : finding.violation ? "atomicity violation"
                                    : "data race",
                *finding.confirmation);
  if (report.search) print_row("-", "search", *report.search);
}

int run(const Arguments& arguments) {
  auto request = parse(arguments);
  if (!request) return fail(request.error());
  auto settings = collect_settings(request->others);
  if (!settings) return fail(settings.error());
  if (settings->operands.empty()) return fail("heddle confirm needs a program; see heddle confirm --help");
  std::error_code problem;
  std::filesystem::create_directories(request->steering.out, problem);
  if (problem) return fail("cannot make '" + request->steering.out + "': " + problem.message());
  auto suppressions = load_suppressions(settings->options);
  if (!suppressions) return fail(suppressions.error());
  const auto checked = run_checked(*settings, {});
  if (!checked) return fail(checked.error());
  report::Report report =
      report::assemble(checked->raw, *suppressions, {true, settings->options.number("max-reports")});

  stop_at_signals();
  if (!report.findings.empty() || request->steering.options.wanted != confirm::Effect::Kind::kNone)
    if (const auto steered = ConfirmSession(*request, *settings, report).run(); !steered)
      return fail(steered.error());
  if (auto set = settings->options.add_setting("predicted=1", "heddle"); !set) return fail(set.error());
  if (auto written = write_reports(report, settings->options); !written) return fail(written.error());
  if (!report.findings.empty() || report.search) print_table(report);

  const auto any = [&](const char* state) {
    return (report.search && report.search->state == state) ||
           std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
             return finding.confirmation && finding.confirmation->state == state;
           });
  };
  const bool left_out = request->only.empty() && steering_interrupted;
  if (any("confirmed")) return static_cast<int>(settings->options.number("exit-code"));
  return any("undecided") || left_out ? kUndecided : 0;
}

}  // namespace

const Verb kConfirmVerb{"confirm", "predict bugs, then steer the schedule until each is shown", help, run};

}  // namespace heddle::cli
