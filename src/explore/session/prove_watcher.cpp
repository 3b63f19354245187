#include "explore/session/prove_watcher.hpp"

#include <algorithm>
#include <cstdio>

#include "explore/witness.hpp"

namespace heddle::explore {

volatile int ProveWatcher::interrupted = 0;

std::string ObjectNames::operator()(const Step& step) {
  if (step.object == 0 || step.op == Op::kGoOn || step.op == Op::kStart || step.op == Op::kWait) return "";
  const Op kind = step.op == Op::kTryAcquire ? Op::kAcquire : step.op;
  const std::pair key(kind, step.object);
  auto found = std::find(known_.begin(), known_.end(), key);
  if (found == known_.end()) found = known_.insert(known_.end(), key);
  const auto number =
      std::count_if(known_.begin(), found + 1, [&](const auto& other) { return other.first == kind; });
  const char* word = kind == Op::kAcquire ? "lock " : kind == Op::kAtomic ? "atomic " : "object ";
  return word + std::to_string(number);
}

ProveWatcher::ProveWatcher(const ActorNames& names, bool keep_going, bool shows_progress,
                           CertificateFile certificate, CertificateHead head, const std::string& so_far)
    : names_(names),
      keep_going_(keep_going),
      shows_progress_(shows_progress),
      head_(std::move(head)),
      certificate_(std::move(certificate)),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {
  certificate_.restart(so_far.empty() ? certificate_head(head_) : so_far);
}

std::string ProveWatcher::finish_certificate(u64 executions, const std::vector<std::string>& assumptions) {
  certificate_.add(certificate_tail(executions, assumptions));
  return certificate_.finish();
}

bool ProveWatcher::explored(const Explored& one) {
  ++executions_;
  if (certificate_.is_made()) certificate_.add(lines_.line(one, names_));
  note_bugs(one);
  if (one.execution.end != End::kTooLong) bound_.add(one.execution);
  if (shows_progress_) progress();
  return !interrupted && (keep_going_ || bugs_.empty());
}

void ProveWatcher::note_bugs(const Explored& one) {
  ObjectNames namer;
  auto name = [&](const Step& step) { return namer(step); };
  const Execution& execution = one.execution;
  for (const Race& race : one.races) {
    const auto sites = std::minmax(race.first_access.site, race.second_access.site);
    if (!known_.insert(sites).second) continue;
    bugs_.push_back(
        {Bug::Kind::kRace, "a data race", scheduled(execution, witness(one.analysis, race), names_, name)});
  }
  if (execution.end == End::kTooLong && endless_.empty()) endless_ = scheduled(execution, names_, name);
  const bool deadlock = execution.end == End::kDeadlock;
  if (!deadlock && execution.end != End::kCrashed) return;
  const Bug::Kind kind = deadlock ? Bug::Kind::kDeadlock : Bug::Kind::kCrash;
  const bool known =
      std::any_of(bugs_.begin(), bugs_.end(), [&](const Bug& bug) { return bug.kind == kind; });
  if (!known)
    bugs_.push_back({kind, deadlock ? "a deadlock" : "a crash: " + execution.problem,
                     scheduled(execution, names_, name)});
}

void ProveWatcher::problem(const std::string& text) {
  if (problem_.empty()) problem_ = text;
}

void ProveWatcher::restarted(const Stepping& stepping) {
  executions_ = 0;
  bugs_.clear();
  known_.clear();
  endless_.clear();
  bound_.clear();
  head_.stepping = stepping;
  lines_ = {};
  certificate_.restart(certificate_head(head_));
}

void ProveWatcher::progress() {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (seconds < 1 || now - last_ < std::chrono::milliseconds(500)) return;
  last_ = now;
  shown_ = true;
  std::fprintf(stderr, "\rheddle: %llu orders explored, %.0f a second%s\033[K",
               static_cast<unsigned long long>(executions_), static_cast<double>(executions_) / seconds,
               bugs_.empty() ? "" : ", bugs found");
}

void ProveWatcher::clear_line() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace heddle::explore
