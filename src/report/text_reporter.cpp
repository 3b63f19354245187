#include "report/text_reporter.hpp"

#include "model/words.hpp"
#include "output/safe_stream.hpp"
#include "report/confirmation_table.hpp"
#include "report/interleaving.hpp"
#include "report/stacks.hpp"

#include <algorithm>
#include <cstring>
#include <iomanip>
#include <ostream>
#include <utility>

namespace heddle::report {
namespace {

struct Palette {
  const char *headline = "", *strong = "", *place = "", *quiet = "", *marker = "", *off = "";
};
constexpr Palette kPlain{};
constexpr Palette kColored{"\033[1;31m", "\033[1m", "\033[36m", "\033[2m", "\033[1;32m", "\033[0m"};

std::string count(std::uint64_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

class TextWriter {
 public:
  TextWriter(std::ostream& out, const Report& report, const TextOptions& options)
      : out_(out), report_(report), options_(options), paint_(options.color ? kColored : kPlain) {}

  void write() {
    for (const Finding& finding : report_.findings)
      visit_kind(
          finding, [&](const Race& race) { write_race(finding, race); },
          [&](const Violation& violation) { write_violation(finding, violation); },
          [&](const Deadlock& deadlock) { write_deadlock(finding, deadlock); });
    for (const Stall& stall : report_.stalls) write_stall(stall);
    write_notes();
    if (options_.stats) write_stats();
    write_summary();
  }

 private:
  void write_race(const Finding& finding, const Race& race) {
    if (!is_listed(finding)) return;
    write_title("DATA RACE", finding);
    write_access("first", race.first);
    write_access("second", race.second);
    write_memory(race);
    write_tasks(finding);
    write_order(finding, race);
    if (finding.pairs > 1 || finding.hits > 1)
      write_seen(finding, count(finding.pairs, "pair of accesses", "pairs of accesses"));
    write_end(finding);
  }

  void write_violation(const Finding& finding, const Violation& violation) {
    if (!is_listed(finding)) return;
    write_title("ATOMICITY VIOLATION", finding);
    write_access("first", violation.first);
    write_access("between", violation.second);
    write_access("last", violation.last);
    write_memory(violation);
    write_tasks(finding);
    write_steps(violation.interleaving);
    write_order(finding, violation);
    if (finding.pairs > 1 || finding.hits > 1)
      write_seen(finding, count(finding.pairs, "triple", "triples") + " of accesses");
    write_end(finding);
  }

  bool is_listed(const Finding& finding) const {
    return finding.evidence == Evidence::Certain || options_.predicted;
  }
  void write_title(const char* title, const Finding& finding) {
    out_ << paint_.headline << title << " " << finding.number << " (" << name_of(finding.evidence)
         << (finding.confirmation ? ", " + finding.confirmation->state : "") << ")" << paint_.off << ": "
         << paint_.strong << finding.headline << paint_.off << "\n";
  }
  void write_memory(const Conflict& conflict) {
    write_variable(conflict.variable);
    for (const std::string& other : conflict.also) field("also") << other << "\n";
  }
  void write_tasks(const Finding& finding) {
    for (const Task& task : finding.tasks) write_task(task);
  }
  void write_order(const Finding& finding, const Conflict& conflict) {
    field("order") << conflict.ordering << "\n";
    if (!finding.hint.empty()) field("note") << finding.hint << "\n";
  }
  void write_seen(const Finding& finding, const std::string& distinct) {
    field("seen") << count(finding.hits, "time", "times") << ", " << distinct << " at these lines\n";
  }
  void write_end(const Finding& finding) {
    if (finding.confirmation) write_confirmation(*finding.confirmation);
    field("rerun") << report_.reproduce << "\n\n";
  }

  void write_confirmation(const Confirmation& confirmation) {
    const auto seen = [](const std::string& effect) { return effect.empty() ? "no visible effect" : effect; };
    auto& out = field("state") << confirmation.state;
    if (confirmation.state != "confirmed") {
      out << ": " << confirmation.why << "\n";
      return;
    }
    out << " in " << count(confirmation.tries, "try", "tries")
        << (confirmation.schedule.empty() ? "" : ": " + confirmation.schedule) << "\n";
    field("effect") << seen(confirmation.effect) << "\n";
    if (confirmation.other_order)
      field("") << "in the other order: " << seen(*confirmation.other_order) << "\n";
    if (!confirmation.note.empty()) field("") << confirmation.note << "\n";
  }

  void write_steps(const std::vector<std::string>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) field(i == 0 ? "how" : "") << steps[i] << "\n";
  }

  void write_deadlock(const Finding& finding, const Deadlock& deadlock) {
    const bool happened = finding.evidence == Evidence::Certain;
    out_ << paint_.headline << (happened ? "DEADLOCK " : "POTENTIAL DEADLOCK ") << finding.number
         << (finding.confirmation ? " (" + finding.confirmation->state + ")" : "") << paint_.off << ": "
         << paint_.strong << finding.headline << paint_.off << "\n";
    for (const Deadlock::Edge& edge : deadlock.edges) {
      field("task " + std::to_string(edge.task))
          << "acquires " << acquired_words(edge.wants) << " on thread " << edge.thread << "\n";
      write_stack(edge.wants.stack, edge.wants.quote);
      for (const Acquisition& held : edge.holds) {
        field("") << "holding " << acquired_words(held) << ", acquired\n";
        write_stack(held.stack, held.quote);
      }
    }
    write_tasks(finding);
    write_steps(deadlock.steps);
    if (happened) field("note") << "it happened in this run: each task waited for the next one\n";
    field(happened ? "" : "note") << finding.hint << "\n";
    if (finding.hits > 1) field("seen") << count(finding.hits, "cycle", "cycles") << " at these lines\n";
    write_end(finding);
  }
  static std::string acquired_words(const Acquisition& acquisition) {
    return lock_words(acquisition.lock) + (acquisition.lock.mode == "read" ? " (for reading)" : "");
  }

  void write_stall(const Stall& stall) {
    out_ << paint_.headline << stall_title(stall) << paint_.off << ": " << paint_.strong << stall_words(stall)
         << paint_.off << "\n";
    for (const Waiter& waiter : stall.waiters) write_waiter(waiter);
    field("rerun") << report_.reproduce << "\n\n";
  }

  static const char* stall_title(const Stall& stall) {
    return stall.kind == "deadlock"        ? "DEADLOCK"
           : stall.kind == "self-deadlock" ? "SELF-DEADLOCK"
           : stall.kind == "hang"          ? "HANG"
           : stall.kind == "timeout"       ? "TIMEOUT"
                                           : "LIVELOCK";
  }
  static std::string stall_words(const Stall& stall) {
    const std::size_t number = stall.waiters.size();
    const std::string threads = count(number, "thread", "threads");
    if (stall.kind == "deadlock") return threads + (number == 1 ? " is" : " are") + " blocked forever";
    if (stall.kind == "self-deadlock") return "a thread waits for a lock that it holds itself";
    if (stall.kind == "hang")
      return threads + (number == 1 ? " waits" : " wait") + ", and no thread is left to wake " +
             (number == 1 ? "it" : "them");
    if (stall.kind == "timeout") return "the program was stopped; the state of its " + threads;
    return threads + (number == 1 ? " polls" : " poll") + ", and nothing changes";
  }

  void write_waiter(const Waiter& waiter) {
    field("actor " + waiter.name) << waiter.kind << ", " << waiter.waits;
    if (waiter.lock) {
      out_ << ": " << lock_words(*waiter.lock);
      if (!waiter.holder.empty()) out_ << ", which actor " << waiter.holder << " holds";
    }
    if (!waiter.holds.empty()) out_ << "; ";
    for (std::size_t i = 0; i < waiter.holds.size(); ++i) write_lock(waiter.holds[i], i == 0);
    out_ << "\n";
    write_stack(waiter.stack, waiter.quote);
  }

  // Labels are as wide as the longest, "variable", so that the texts line up.
  output::SafeStream& field(const std::string& label) {
    return out_ << "  " << paint_.strong << std::left << std::setw(8) << label << paint_.off << "  ";
  }

  void write_access(const char* which, const Access& access) {
    field(which) << (access.atomic ? "atomic " : "") << access.op;
    if (access.op != "free") out_ << " of " << count(access.size, "byte", "bytes");
    out_ << " by task " << access.task << " on thread " << access.thread << ", ";
    if (access.locks.empty()) out_ << "holding no lock";
    for (std::size_t i = 0; i < access.locks.size(); ++i) write_lock(access.locks[i], i == 0);
    out_ << "\n";
    write_stack(access.stack, access.quote);
  }

  void write_lock(const Lock& lock, bool leading) {
    out_ << (leading ? "holding " : ", ") << lock_words(lock);
    if (lock.mode == "read") out_ << " (for reading)";
  }

  void write_variable(const Variable& variable) {
    field("variable") << variable.description << "\n";
    if (!variable.allocated.empty()) write_stack(variable.allocated, std::nullopt);
  }

  void write_task(const Task& task) {
    field("task " + std::to_string(task.id)) << task.kind;
    const model::TaskWords* words = model::find_task(task.kind);
    if (const Frame* frame = task.created.user_frame();
        frame && words && model::words_of(words->family).names_construct)
      out_ << " at " << short_place(*frame);
    if (task.parent != 0) out_ << ", created by task " << task.parent;
    if (task.created.empty() && task.parent == 0) out_ << ", the start of the program";
    out_ << "\n";
    write_stack(task.created, task.quote);
  }

  void write_stack(const Stack& stack, const std::optional<SourceQuote>& quote) {
    const auto end = stack.frames.begin() + static_cast<std::ptrdiff_t>(stack.shown);
    const bool only_runtime =
        std::all_of(stack.frames.begin(), end, [](const Frame& frame) { return frame.runtime; });
    std::size_t number = 0;
    for (std::size_t i = 0; i < stack.shown; ++i) {
      if (stack.frames[i].runtime && !only_runtime)
        continue;  // a call through a runtime between frames of the user
      write_frame(number++, stack.frames[i]);
      if (quote && i == stack.user) write_quote(*quote);
    }
  }

  void write_frame(std::size_t number, const Frame& frame) {
    out_ << "            #" << number << " " << (frame.function.empty() ? "??" : frame.function) << "  "
         << paint_.place;
    if (!frame.file.empty()) {
      out_ << frame.file << ":" << frame.line;
      if (frame.column > 0) out_ << ":" << frame.column;
    } else if (!frame.module.empty()) {
      out_ << frame.module << "+0x" << std::hex << frame.offset << std::dec;
    } else {
      out_ << "0x" << std::hex << frame.offset << std::dec;
    }
    out_ << paint_.off << (frame.inlined ? " (inlined)" : "") << "\n";
  }

  void write_quote(const SourceQuote& quote) {
    constexpr const char* kIndent = "            ";
    out_ << paint_.quiet << kIndent << std::right << std::setw(6) << quote.line << " | " << paint_.off
         << quote.text << "\n";
    if (quote.column > 0)
      out_ << paint_.quiet << kIndent << "       | " << paint_.off << std::string(quote.column - 1, ' ')
           << paint_.marker << "^" << paint_.off << "\n";
  }

  void write_notes() {
    const auto listed = [&](Evidence evidence) {
      return static_cast<std::size_t>(std::count_if(
          report_.findings.begin(), report_.findings.end(),
          [&](const Finding& finding) { return !finding.as<Deadlock>() && finding.evidence == evidence; }));
    };
    if (const std::size_t certain = listed(Evidence::Certain);
        certain < report_.certain + report_.certain_violations)
      out_ << "heddle: " << report_.certain + report_.certain_violations - certain
           << (report_.certain_violations ? " more certain bugs" : " more certain races")
           << " are not listed (max-reports)\n";
    if (report_.predicted > 0 && !options_.predicted)
      out_ << "heddle: " << count(report_.predicted, "predicted race", "predicted races")
           << ", ordered only in this run, mostly by its locks; --predicted lists them\n";
    if (report_.predicted_violations > 0 && !options_.predicted)
      out_ << "heddle: "
           << count(report_.predicted_violations, "predicted atomicity violation",
                    "predicted atomicity violations")
           << ", ordered only in this run, mostly by its locks; --predicted lists them\n";
    for (const std::string& warning : report_.warnings) out_ << "heddle: warning: " << warning << "\n";
    for (const std::string& what : report_.not_analysed) out_ << "heddle: not analysed: " << what << "\n";
    for (const UnusedSuppression& rule : report_.unused_suppressions)
      out_ << "heddle: unused suppression: " << rule.text << " (" << rule.where << ")\n";
    if (report_.signal)
      out_ << "heddle: the program was killed by signal " << *report_.signal << " ("
           << strsignal(*report_.signal) << "); what it had found until then is reported\n";
  }

  void write_stats() {
    for (const auto& [name, value] : report_.stats) out_ << "stats: " << name << " = " << value << "\n";
  }

  std::string looked_for() const {
    std::vector<std::string> all;
    for (const auto& [check, findings] : {std::pair{"race", "races"},
                                          {"atomicity", "atomicity violations"},
                                          {"deadlock", "potential deadlocks"}})
      if (std::find(report_.checks.begin(), report_.checks.end(), check) != report_.checks.end())
        all.push_back(findings);
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i)
      text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
    return text;
  }

  void write_summary() {
    const bool no_races = report_.certain + report_.predicted == 0;
    const std::size_t violations = report_.certain_violations + report_.predicted_violations;
    const bool clean = no_races && violations == 0 && report_.deadlocks == 0;
    const bool complete = report_.not_analysed.empty();
    if (clean && complete && report_.stalls.empty() && options_.quiet) return;
    out_ << paint_.strong << "SUMMARY: heddle: ";
    for (const Stall& stall : report_.stalls)  // a cycle of locks is counted below
      if (stall.kind != "deadlock" || report_.happened_deadlocks == 0) out_ << "a " << stall.kind << ", ";
    if (report_.happened_deadlocks > 0)
      out_ << count(report_.happened_deadlocks, "deadlock that happened", "deadlocks that happened")
           << (no_races && violations == 0 && report_.deadlocks == report_.happened_deadlocks ? "" : ", ");
    if (report_.deadlocks > report_.happened_deadlocks)
      out_ << count(report_.deadlocks - report_.happened_deadlocks, "potential deadlock",
                    "potential deadlocks")
           << (no_races && violations == 0 ? "" : ", ");
    if (violations > 0)
      out_ << count(report_.certain_violations, "atomicity violation", "atomicity violations")
           << (no_races ? "" : ", ");
    const std::string absent = looked_for();
    if (clean && absent.empty())
      out_ << "nothing was looked for";
    else if (clean)
      out_ << "no " << absent << (complete ? " found" : " in what was analysed");
    else if (no_races && violations > 0)
      out_ << ", " << report_.predicted_violations << " predicted";
    else if (!no_races)
      out_ << count(report_.certain, "certain race", "certain races") << ", " << report_.predicted
           << " predicted";
    out_ << " (" << (report_.program.empty() ? "no program" : report_.program);
    if (report_.signal)
      out_ << ", killed by signal " << *report_.signal;
    else if (report_.exit_code)
      out_ << ", exit code " << *report_.exit_code;
    if (report_.suppressed > 0) out_ << ", " << report_.suppressed << " suppressed";
    if (!complete) out_ << ", not everything was analysed";
    for (const char* state : {"confirmed", "refuted", "undecided"})
      if (const std::size_t times = count_state(report_, state)) out_ << ", " << times << " " << state;
    out_ << ")" << paint_.off << "\n";
  }

  output::SafeStream out_;
  const Report& report_;
  const TextOptions& options_;
  const Palette& paint_;
};

}  // namespace

void write_text(std::ostream& out, const Report& report, const TextOptions& options) {
  TextWriter(out, report, options).write();
}

}  // namespace heddle::report
