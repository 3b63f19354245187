// heddle prove: execute a program in every order of its critical sections that can make a difference, and judge each for races.
//
// The program is started once and forked for each execution (explore/program). The explorer decides which orders are needed; here is
// what the user sees of it: the verdict, the schedule that shows a bug, the certificate of a proof, the frontier of what is left.
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

// --- what is told ------------------------------------------------------------------------------------------------------------

std::string orders(u64 count) { return std::to_string(count) + (count == 1 ? " order" : " orders"); }

std::string counts(const explore::Statistics& s) {
  return orders(s.executions) + " explored, " + std::to_string(s.executions) +
         (s.executions == 1 ? " class, " : " classes, ") + std::to_string(s.blocked) + " blocked";
}

// False, and it was said, if it cannot.
bool write_summary(const Request& request, std::string_view verdict, const explore::Statistics& s,
                   double seconds) {
  if (request.summary.empty()) return true;
  std::ostringstream text;
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

// --- the verb -----------------------------------------------------------------------------------------------------------------

// The program in this process, and those of other ranks, if there are any.
struct Executors {
  std::vector<std::unique_ptr<explore::RemoteExecutor>> elsewhere;
  std::vector<explore::Executor*> all;
};

// Ended before anything parallel was made.
int judge_sequential(const explore::StartedProgram& exploration, const Request& request,
                     const Settings& settings, double seconds) {
  const std::string& name = settings.operands.front();
  const int status = exploration.program->status();
  const auto raw = exploration.log.read();
  if (!raw || raw->processes.empty()) return fail("'" + name + "' did not start");
  // The runtime has given it up, and said why: in the log, or, where a library of it did, by its exit code only.
  constexpr int kGivenUp = 70;
  const bool given_up = WIFEXITED(status) && WEXITSTATUS(status) == kGivenUp;
  for (const auto& process : raw->processes)
    if (process.end_reason == "internal" || (given_up && !process.end_reason))
      return fail("'" + name + "' cannot be explored" +
                  (process.warnings.empty() ? "" : ": " + process.warnings.back()));
  for (const auto& process : raw->processes)
    if (process.end_reason == "stall") {
      std::fprintf(stderr, "heddle: 1 order explored; it does nothing in parallel, and waits for ever\n");
      write_summary(request, "deadlock", {.executions = 1, .deadlocks = 1}, seconds);
      return static_cast<int>(settings.options.number("exit-code"));
    }
  if (WIFSIGNALED(status)) {
    say(std::string("1 order explored; it does nothing in parallel, and crashes: killed by ") +
        strsignal(WTERMSIG(status)));
    write_summary(request, "crash", {.executions = 1, .crashes = 1}, seconds);
    return static_cast<int>(settings.options.number("exit-code"));
  }
  say("race-free for this input: it does nothing in parallel; 1 order");
  write_summary(request, "proved", {.executions = 1}, seconds);
  return 0;
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

// False, and it was said, if the schedule of an execution that does not end cannot be written.
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

// What was found, as far as a checked run shows it. The verdict: "race", "deadlock", "crash", or "undecided".
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

int prove(const Request& request, Settings& settings, explore::Job* job) {
  const std::string& name = settings.operands.front();
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  explore::StartOptions how{request.jobs, request.step_timeout, {}, {}};
  how.unwanted = [&] {
    return explore::ProveWatcher::interrupted ||
           (request.most_seconds > 0 && seconds() > request.most_seconds);
  };
  if (job) {
    how.jobs = job->agree_on_jobs(request.jobs);
    how.adapt = [&](explore::ProgramOptions& options) { job->adapt(options); };
  } else if (how.jobs == 0) {
    // Half of a short execution's time is waiting: for a process to begin, to end, to be waited for.
    how.jobs = std::clamp(2 * std::thread::hardware_concurrency(), 1u, 256u);
  }
  auto exploration = explore::start_exploration(settings, how, *request.policy);
  if (job && !job->coordinates()) return job->serve(exploration);
  Executors executors;
  if (job) {
    auto gathered = job->gather(exploration);
    if (!gathered) return fail(gathered.error());
    executors.elsewhere = std::move(*gathered);
  }
  if (!exploration) return fail(exploration.error());
  explore::Program& program = *exploration->program;
  if (program.sequential()) return judge_sequential(*exploration, request, settings, seconds());
  for (auto& executor : program.executors()) {
    executor->names = program.executors().front()->names;
    executors.all.push_back(executor.get());
  }
  for (auto& executor : executors.elsewhere) executors.all.push_back(executor.get());

  const std::string hash = explore::program_hash(exploration->watched.path),
                    input = explore::input_hash(settings);
  explore::Options options;
  options.reduction = request.policy;
  options.keep_going = request.keep_going;
  options.most_executions = request.most_orders;
  if (request.most_seconds > 0) options.most_seconds = std::max(1e-6, request.most_seconds - seconds());
  options.subject = hash + " " + input;
  explore::FrontierFile before;
  if (request.resume) {
    const auto text = read_text(request.frontier, "the frontier");
    if (!text) return fail(text.error());
    auto parsed = explore::parse_frontier_file(*text);
    if (!parsed) return fail_input(request.frontier + ": " + parsed.error());
    before = std::move(*parsed);
    options.frontier = before.frontier;
    if (const auto head = explore::Frontier::parse_head(before.frontier); head && request.most_orders)
      options.most_executions += head->statistics.executions;
  }
  const bool certifies =
      request.policy == &explore::conflict_aware() && (!request.resume || !before.certificate.empty());
  const bool shows = !settings.options.flag("quiet") && isatty(STDERR_FILENO);
  auto certificate = explore::CertificateFile::create(certifies ? request.certificate : "");
  if (!certificate) return fail(certificate.error());
  explore::ProveWatcher watcher(*executors.all.front()->names, request.keep_going, shows,
                                std::move(*certificate),
                                {name,
                                 hash,
                                 {settings.operands.begin() + 1, settings.operands.end()},
                                 input,
                                 std::string(request.policy->name()),
                                 false},
                                before.certificate);
  const explore::Outcome outcome = explore::explore(executors.all, options, watcher);
  watcher.clear_line();
  const explore::Statistics& s = outcome.statistics;
  u32 granted = program.assumptions() | before.assumptions;
  if (job) granted |= job->finish(executors.elsewhere);
  if (outcome.verdict == explore::Verdict::kRefused)
    return fail(Error{request.frontier + ": " + outcome.problem, outcome.damaged_frontier});

  if (outcome.verdict == explore::Verdict::kComplete && watcher.bugs().empty()) {
    const auto words = explore::assumptions(*exploration, granted);
    say("race-free for this input: " + counts(s) + "; assumptions: " + joined(words));
    if (request.resume) say("nothing is left of '" + request.frontier + "': it may be removed");
    const bool written = write_summary(request, "proved", s, seconds());
    if (!certifies) return written ? 0 : kUsageError;
    if (const std::string problem = watcher.finish_certificate(s.executions, words); !problem.empty())
      return fail("cannot write the certificate '" + request.certificate + "': " + problem);
    say("certificate: " + request.certificate);
    return written ? 0 : kUsageError;
  }
  const explore::FrontierFile rest{outcome.frontier, granted, watcher.certificate_so_far()};
  const bool is_left = !rest.frontier.empty() && (watcher.bugs().empty() || request.keep_going);
  bool written = !is_left || write_text(request.frontier, to_text(rest));
  const bool goes_on = is_left && written;
  std::string_view verdict = "undecided";
  if (watcher.bugs().empty()) {
    written &= tell_undecided(request, settings, s, watcher);
  } else {
    exploration->program.reset();  // its servers are not needed any more
    const auto witnesses =
        explore::follow_bugs(watcher.bugs(), settings, replay::most_replaying(request.step_timeout));
    verdict = tell_bugs(s, witnesses);
    written &= explore::tell_witnesses(witnesses, settings, request.schedule);
  }
  written &= write_summary(request, verdict, s, seconds());
  if (goes_on) say("to go on: heddle prove --resume" + explore::replay_words(settings, ""));
  if (!written) return kUsageError;
  return verdict == "undecided" ? kUndecided : static_cast<int>(settings.options.number("exit-code"));
}

int run(Settings& settings) {
  if (settings.operands.empty()) return fail("heddle prove needs a program; see heddle prove --help");
  const auto request = request_of(settings);
  if (!request) return fail(request.error());
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) { explore::ProveWatcher::interrupted = 1; });
  auto job = explore::Job::join();
  if (!job) return fail(job.error());
  return prove(*request, settings, job->get());
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
