// heddle prove: executes a program in every order of its critical sections that can matter, and checks each for
// races.
//
// The program starts once and is forked for each execution (explore/program). The explorer decides which orders are
// needed; this file has the user's side: the verdict, the schedule that shows a bug, the certificate of a proof, the
// frontier of the unexplored rest.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <thread>

#include "cli/verb.hpp"
#include "explore/frontier.hpp"
#include "explore/session/exploration.hpp"
#include "explore/session/frontier_file.hpp"
#include "explore/session/prove_watcher.hpp"
#include "explore/session/ranks.hpp"
#include "explore/session/witnesses.hpp"
#include "output/text_file.hpp"
#include "replay/scheduled_run.hpp"

namespace heddle::cli {
namespace {

struct Request {
  u32 jobs = 0;  // 0: not given
  u64 most_orders = 0;
  double most_seconds = 0, step_timeout = 10;
  bool keep_going = false, resume = false;
  const explore::Reduction* policy = nullptr;
  std::string certificate, schedule, frontier, summary;
};

Result<Request> request_of(const Settings& settings) {
  const Options& options = settings.options;
  const std::string& program = settings.operands.front();
  const auto path = [&](const char* name) {
    return options.is_given(name) ? options.text(name) : explore::beside(program, "." + std::string(name));
  };
  Request request;
  request.jobs = static_cast<u32>(options.number("jobs"));
  request.most_orders = options.number("max-orders");
  request.most_seconds = options.seconds("timeout");
  request.step_timeout = options.seconds("step-timeout");
  request.keep_going = options.flag("keep-going");
  request.resume = options.flag("resume");
  request.policy = explore::find_reduction(options.text("policy"));
  if (!request.policy)
    return Error{"there is no policy '" + options.text("policy") + "': ours, cg, gpr or prd"};
  request.certificate = path("certificate");
  request.schedule = path("schedule");
  request.frontier = path("frontier");
  request.summary = options.text("summary");
  return request;
}

// --- messages ----------------------------------------------------------------------------------------------------

std::string orders(u64 count) { return std::to_string(count) + (count == 1 ? " order" : " orders"); }

std::string counts(const explore::Statistics& s) {
  return orders(s.executions) + " explored, " + std::to_string(s.executions) +
         (s.executions == 1 ? " class, " : " classes, ") + std::to_string(s.blocked) + " blocked";
}

// False, after a message, if it cannot be written.
bool write_summary(const Request& request, std::string_view verdict, const explore::Statistics& s,
                   double seconds) {
  if (request.summary.empty()) return true;
  std::ostringstream text;
  text.exceptions(std::ios::badbit);
  text << "{\"verdict\":\"" << verdict << "\",\"policy\":\"" << request.policy->name()
       << "\",\"executions\":" << s.executions << ",\"blocked\":" << s.blocked
       << ",\"impossible\":" << s.impossible << ",\"racy\":" << s.racy << ",\"deadlocks\":" << s.deadlocks
       << ",\"crashes\":" << s.crashes << ",\"steps\":" << s.steps << ",\"deepest\":" << s.deepest
       << ",\"open\":" << s.open << ",\"nodes\":" << s.most_nodes << ",\"seconds\":" << seconds << "}\n";
  return write_text(request.summary, text.str());
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text.empty() ? "none" : text;
}

// --- the verb ------------------------------------------------------------------------------------------------------

// The program in this process, and those of other ranks, if there are any.
struct Executors {
  std::vector<std::unique_ptr<explore::RemoteExecutor>> elsewhere;
  std::vector<explore::Executor*> all;
};

// It ended before it created anything parallel.
int judge_sequential(const explore::StartedProgram& exploration, const Request& request,
                     const Settings& settings, double seconds) {
  const int status = exploration.program->status();
  if (const std::string why = explore::given_up(exploration); !why.empty()) return fail(why);
  const auto raw = exploration.log.read();
  if (!raw) return fail(raw.error());
  for (const auto& process : raw->processes)
    if (process.end_reason == "stall") {
      say("1 order explored; it does nothing in parallel, and waits for ever");
      const bool written = write_summary(request, "deadlock", {.executions = 1, .deadlocks = 1}, seconds);
      return written ? static_cast<int>(settings.options.number("exit-code")) : kUsageError;
    }
  if (WIFSIGNALED(status)) {
    say(std::string("1 order explored; it does nothing in parallel, and crashes: killed by ") +
        strsignal(WTERMSIG(status)));
    const bool written = write_summary(request, "crash", {.executions = 1, .crashes = 1}, seconds);
    return written ? static_cast<int>(settings.options.number("exit-code")) : kUsageError;
  }
  say("race-free for this input: it does nothing in parallel; 1 order");
  return write_summary(request, "proved", {.executions = 1}, seconds) ? 0 : kUsageError;
}

// "at least 12 more remain, and at most 620 if ..."
std::string what_remains(const explore::Statistics& s, const explore::OrderBound& bound) {
  std::string text = "at least " + std::to_string(s.open) + " more remain";
  const std::string most = bound.remaining(s.executions);
  if (most.empty()) return text;
  return text + ", and at most " + most +
         (bound.uniform()
              ? " if every order acquires and does atomically what those explored did"
              : " if no order acquires or does atomically anything more often than those explored");
}

// False, after a message, if the schedule of a non-terminating execution cannot be written.
bool tell_undecided(const Request& request, const Settings& settings, const explore::Statistics& s,
                    const explore::ProveWatcher& watcher) {
  say("undecided: " + counts(s) + "; " + what_remains(s, watcher.bound()));
  if (!watcher.problem().empty()) say(watcher.problem());
  if (watcher.endless().empty()) return true;
  const explore::Schedule schedule{"an execution that does not end",
                                   settings.operands.front(),
                                   {settings.operands.begin() + 1, settings.operands.end()},
                                   watcher.endless()};
  if (!write_text(request.schedule, explore::to_text(schedule))) return false;
  say("to see where it does not end: heddle replay" + explore::replay_words(settings, request.schedule));
  return true;
}

// The bugs that a checked run shows. The verdict: "race", "deadlock", "crash", or "undecided".
const char* tell_bugs(const explore::Statistics& s, const std::vector<explore::Witness>& witnesses) {
  const auto shown = [&](explore::Bug::Kind kind) {
    return std::any_of(witnesses.begin(), witnesses.end(), [&](const explore::Witness& witness) {
      return witness.problem.empty() && witness.bug->kind == kind;
    });
  };
  const char* verdict = shown(explore::Bug::Kind::kRace)       ? "race"
                        : shown(explore::Bug::Kind::kDeadlock) ? "deadlock"
                        : shown(explore::Bug::Kind::kCrash)    ? "crash"
                                                               : "undecided";
  std::string text = counts(s) + ": " + std::to_string(s.racy) + " of them race, " +
                     std::to_string(s.deadlocks) + " end in a deadlock, " + std::to_string(s.crashes) +
                     " crash";
  if (verdict == std::string_view("undecided"))
    text = "undecided: " + text +
           "; but a run of its schedule shows none of this, so it is neither a bug nor a proof";
  say(text);
  return verdict;
}

// One proof and its outcome.
class Prover {
 public:
  Prover(const Request& request, Settings& settings, explore::Job* job)
      : request_(request), settings_(settings), job_(job) {}

  // The exit code.
  int run() {
    auto started = explore::start_exploration(settings_, start_options(), *request_.policy);
    if (job_ && !job_->coordinates()) return job_->serve(started);
    if (job_) {
      auto gathered = job_->gather(started);
      if (!gathered) return fail(gathered.error());
      executors_.elsewhere = std::move(*gathered);
    }
    if (!started) return fail(started.error());
    explore::Program& program = *started->program;
    if (program.sequential()) return judge_sequential(*started, request_, settings_, seconds());
    for (auto& executor : program.executors()) {
      executor->names = program.executors().front()->names;
      executors_.all.push_back(executor.get());
    }
    for (auto& executor : executors_.elsewhere) executors_.all.push_back(executor.get());
    if (request_.resume)
      if (const auto read = read_frontier(); !read) return fail(read.failure());
    return explore_and_tell(*started);
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  explore::StartOptions start_options() {
    explore::StartOptions how{request_.jobs, request_.step_timeout, {}, {}};
    how.unwanted = [this] {
      return explore::ProveWatcher::interrupted ||
             (request_.most_seconds > 0 && seconds() > request_.most_seconds);
    };
    if (job_) {
      how.jobs = job_->agree_on_jobs(request_.jobs);
      how.adapt = [this](explore::ProgramOptions& options) { job_->adapt(options); };
    } else if (how.jobs == 0) {
      // Half of a short execution's time is waiting: for a process to start, to end, to be reaped.
      how.jobs = std::clamp(2 * std::thread::hardware_concurrency(), 1u, 256u);
    }
    return how;
  }

  Result<bool> read_frontier() {
    const auto text = read_text(request_.frontier, "the frontier");
    if (!text) return text.failure();
    auto parsed = explore::parse_frontier_file(*text);
    if (!parsed) return Error{request_.frontier + ": " + parsed.error(), true};
    before_ = std::move(*parsed);
    return true;
  }

  explore::Options explore_options(const std::string& subject) const {
    explore::Options options;
    options.reduction = request_.policy;
    options.keep_going = request_.keep_going;
    options.most_executions = request_.most_orders;
    if (request_.most_seconds > 0) options.most_seconds = std::max(1e-6, request_.most_seconds - seconds());
    options.subject = subject;
    options.frontier = before_.frontier;
    if (const auto head = explore::Frontier::parse_head(before_.frontier); head && request_.most_orders)
      options.most_executions += head->statistics.executions;
    return options;
  }

  // A certificate that began with another policy, or was not kept, cannot be completed.
  bool certifies() const {
    return request_.policy == &explore::conflict_aware() &&
           (!request_.resume || !before_.certificate.empty());
  }

  int explore_and_tell(explore::StartedProgram& started) {
    const auto hash = explore::program_hash(started.watched.path), input = explore::input_hash(settings_);
    if (!hash || !input) return fail(hash ? input.error() : hash.error());
    auto certificate = explore::CertificateFile::create(certifies() ? request_.certificate : "");
    if (!certificate) return fail(certificate.error());
    const bool shows = !settings_.options.flag("quiet") && isatty(STDERR_FILENO);
    explore::ProveWatcher watcher(*executors_.all.front()->names, request_.keep_going, shows,
                                  std::move(*certificate),
                                  {settings_.operands.front(),
                                   *hash,
                                   {settings_.operands.begin() + 1, settings_.operands.end()},
                                   *input,
                                   std::string(request_.policy->name()),
                                   explore::Stepping{}},
                                  before_.certificate);
    try {
      return explore_with(watcher, *hash + " " + *input, started);
    } catch (const std::exception&) {
      rescue(watcher);
      throw;
    }
  }

  int explore_with(explore::ProveWatcher& watcher, const std::string& subject,
                   explore::StartedProgram& started) {
    const explore::Outcome outcome = explore::explore(executors_.all, explore_options(subject), watcher);
    watcher.clear_line();
    u32 granted = started.program->assumptions() | before_.assumptions;
    if (job_) granted |= job_->finish(executors_.elsewhere);
    const std::string& broken = executors_.all.front()->broken;
    if (outcome.verdict == explore::Verdict::kRefused && !broken.empty())
      return fail("the exploration cannot go on: " + broken);
    if (outcome.verdict == explore::Verdict::kRefused)
      return fail(Error{request_.frontier + ": " + outcome.problem, outcome.damaged_frontier});
    // What an execution that broke off would have led to is not explored, whatever the tree says.
    if (outcome.verdict == explore::Verdict::kComplete && watcher.bugs().empty())
      for (const explore::Executor* executor : executors_.all)
        if (!executor->broken.empty()) return fail("the exploration is not complete: " + executor->broken);
    if (outcome.verdict == explore::Verdict::kComplete && watcher.bugs().empty())
      return tell_proof(outcome.statistics, explore::assumptions(started, granted), watcher);
    return tell_no_proof(outcome, granted, watcher, started);
  }

  // The tool is about to end, out of memory: what was found is told as far as it is known.
  void rescue(explore::ProveWatcher& watcher) {
    watcher.clear_line();
    if (has_told_bugs_ || watcher.bugs().empty()) return;
    const explore::Bug& bug = watcher.bugs().front();
    const explore::Schedule schedule{bug.what,
                                     settings_.operands.front(),
                                     {settings_.operands.begin() + 1, settings_.operands.end()},
                                     bug.steps};
    if (write_text(request_.schedule, explore::to_text(schedule)))
      say(bug.what + " was seen; its schedule is " + request_.schedule + "; to see it: heddle replay" +
          explore::replay_words(settings_, request_.schedule));
  }

  int tell_proof(const explore::Statistics& s, const std::vector<std::string>& assumptions,
                 explore::ProveWatcher& watcher) {
    say("race-free for this input: " + counts(s) + "; assumptions: " + joined(assumptions));
    if (request_.resume) say("nothing is left of '" + request_.frontier + "': it may be removed");
    const bool written = write_summary(request_, "proved", s, seconds());
    if (certifies()) {
      if (const std::string problem = watcher.finish_certificate(s.executions, assumptions); !problem.empty())
        return fail("cannot write the certificate '" + request_.certificate + "': " + problem);
      say("certificate: " + request_.certificate);
    }
    return written ? 0 : kUsageError;
  }

  // Bugs, or unexplored orders: writes the frontier, so that the exploration can resume.
  int tell_no_proof(const explore::Outcome& outcome, u32 granted, explore::ProveWatcher& watcher,
                    explore::StartedProgram& started) {
    const explore::Statistics& s = outcome.statistics;
    const explore::FrontierFile rest{outcome.frontier, granted, watcher.certificate_so_far()};
    const bool is_left = !rest.frontier.empty() && (watcher.bugs().empty() || request_.keep_going);
    bool written = !is_left || write_text(request_.frontier, to_text(rest));
    const bool goes_on = is_left && written;
    if (is_left && !watcher.certificate_problem().empty()) {
      say("cannot keep the certificate so far in $TMPDIR: " + watcher.certificate_problem());
      written = false;
    }
    std::string_view verdict = "undecided";
    if (watcher.bugs().empty()) {
      written &= tell_undecided(request_, settings_, s, watcher);
    } else {
      started.program.reset();  // its servers are no longer needed
      auto witnesses =
          explore::follow_bugs(watcher.bugs(), settings_, replay::most_replaying(request_.step_timeout));
      verdict = tell_bugs(s, witnesses);
      written &= explore::report_witnesses(witnesses, settings_, request_.schedule);
      has_told_bugs_ = true;
    }
    written &= write_summary(request_, verdict, s, seconds());
    if (goes_on) say("to continue: heddle prove --resume" + explore::replay_words(settings_, ""));
    if (!written) return kUsageError;
    return verdict == "undecided" ? kUndecided : static_cast<int>(settings_.options.number("exit-code"));
  }

  const Request& request_;
  Settings& settings_;
  explore::Job* job_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Executors executors_;
  bool has_told_bugs_ = false;
  explore::FrontierFile before_;  // of an exploration that is resumed
};

int run(Settings& settings) {
  if (settings.operands.empty()) return fail("heddle prove needs a program; see heddle prove --help");
  const auto request = request_of(settings);
  if (!request) return fail(request.error());
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) { explore::ProveWatcher::interrupted = 1; });
  auto job = explore::Job::join();
  if (!job) return fail(job.error());
  return Prover(*request, settings, job->get()).run();
}

}  // namespace

const Verb kProveVerb{
    "prove",
    options::kProve,
    Operands::kProgram,
    "explore every order that matters: find a race or deadlock, or prove that there is none",
    "[options] PROGRAM [arguments]",
    "The program (threads, OpenMP built by GCC, oneTBB, heddle/async.hpp) runs on the verification runtime, "
    "once for "
    "each class of equivalent orders of its critical sections. The output of the first execution is shown, "
    "that of the "
    "others is dropped; files that the program writes are written by every execution. Exit code: 0 if it is "
    "proved free "
    "of races and deadlocks for this input, 66 if a race, a deadlock or a crash was found, 4 if neither "
    "could be "
    "decided, 2 if it cannot be explored.",
    "  heddle prove ./app 4\n"
    "  heddle prove --threads=3 --jobs=8 --timeout=600 ./openmp-app\n"
    "  heddle replay app.schedule ./app 4                    the bug again\n"
    "  heddle check-certificate app.certificate ./app 4      the proof again\n",
    run};

}  // namespace heddle::cli
