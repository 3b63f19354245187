// heddle prove: execute a program in every order of its critical sections that can make a difference, and judge each for races.
//
// The program is started once and forked for each execution (explore/program). The explorer decides which orders are needed; here is
// what the user sees of it: progress, the verdict, the schedule that shows a bug, and the certificate of a proof.
#include <sys/wait.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "cli/verb.hpp"
#include "cli/watched_program.hpp"
#include "explore/explorer.hpp"
#include "explore/program/program_executor.hpp"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Neither a proof nor a bug.
constexpr int kUndecided = 4;

std::string help() {
  return "heddle prove: explore every order of critical sections that can make a difference, and prove that "
         "there is no race\n"
         "\n"
         "usage: heddle prove [options] PROGRAM [arguments]\n"
         "\n"
         "The program (threads, OpenMP built by GCC, heddle/async.hpp) runs under the verification runtime, "
         "once for each class of\n"
         "orders. What it prints in the first execution is shown, what it prints in the others is dropped; "
         "files that it writes are\n"
         "written again and again. Exit code: 0 if it is proved free of races and deadlocks for this input, "
         "66 if a race, a deadlock\n"
         "or a crash was found, 4 if a bound was reached first, 2 if it cannot be explored.\n"
         "\n"
         "  --jobs=N              executions at once (default: as many as there are processors)\n"
         "  --max-orders=N        stop after N executions\n"
         "  --timeout=SECONDS     stop after that time\n"
         "  --keep-going          do not stop at the first bug\n"
         "  --policy=NAME         which orders are explored: ours; or, for comparison, cg (every order of "
         "the sections of a lock),\n"
         "                        gpr (every order of permission regions), prd (every order of accesses)\n"
         "  --patience=SECONDS    give an execution up that comes to no choice point for so long (default: "
         "10)\n"
         "  --quiet               no progress\n"
         "\n"
         "options for the running program:\n" +
         options_help(Consumer::Runtime) +
         "\n"
         "examples:\n"
         "  heddle prove ./app 4\n"
         "  heddle prove --threads=3 --jobs=8 --timeout=600 ./openmp-app\n"
         "  heddle replay app.schedule ./app 4        the bug again\n";
}

struct Request {
  u32 jobs = std::max(1u, std::thread::hardware_concurrency());
  u64 most_orders = 0;
  double most_seconds = 0, patience = 10;
  bool keep_going = false;
  const explore::Reduction* policy = &explore::conflict_aware();
  Arguments others;
};

Result<double> number(std::string_view name, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return Error{std::string(name) + " needs a number, not '" + std::string(text) + "'"};
  return value;
}

Result<Request> parse(const Arguments& arguments) {
  Request request;
  usize i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("-") && arguments[i] != "--"; ++i) {
    const std::string& word = arguments[i];
    const usize equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(std::min(equals + 1, word.size()));
    if (name == "--keep-going") {
      request.keep_going = true;
    } else if (name == "--policy") {
      request.policy = explore::find_reduction(value);
      if (!request.policy) return Error{"there is no policy '" + value + "': ours, cg, gpr or prd"};
    } else if (name == "--jobs" || name == "--max-orders" || name == "--timeout" || name == "--patience") {
      const auto parsed = number(name, value);
      if (!parsed) return Error{parsed.error()};
      if (name == "--jobs") request.jobs = std::max(1u, static_cast<u32>(*parsed));
      if (name == "--max-orders") request.most_orders = static_cast<u64>(*parsed);
      if (name == "--timeout") request.most_seconds = *parsed;
      if (name == "--patience") request.patience = *parsed;
    } else {
      request.others.push_back(word);
    }
  }
  request.others.insert(request.others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                        arguments.end());
  return request;
}

volatile std::sig_atomic_t g_interrupted = 0;

// What is heard of the exploration while it goes on.
class Watcher : public explore::Listener {
 public:
  explicit Watcher(bool shows) : shows_(shows) {}

  bool explored(const explore::Explored& one) override {
    ++executions_;
    races_ += one.races.size();
    if (shows_) progress();
    return !g_interrupted;
  }
  void problem(const std::string& text) override {
    if (problem_.empty()) problem_ = text;
  }
  void restarted() override { executions_ = races_ = 0; }

  void clear_line() const {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }
  const std::string& problem() const { return problem_; }

 private:
  void progress() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(500)) return;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (seconds < 1) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\rheddle: %llu orders explored, %.0f a second, %llu races\033[K",
                 static_cast<unsigned long long>(executions_), static_cast<double>(executions_) / seconds,
                 static_cast<unsigned long long>(races_));
  }
  bool shows_, shown_ = false;
  u64 executions_ = 0, races_ = 0;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::string problem_;
};

std::string counts(const explore::Statistics& s) {
  return std::to_string(s.executions) + " orders explored, " + std::to_string(s.executions) + " classes, " +
         std::to_string(s.blocked) + " blocked";
}

int run(const Arguments& arguments) {
  const auto request = parse(arguments);
  if (!request) return fail(request.error());
  auto settings = collect_settings(request->others);
  if (!settings) return fail(settings.error());
  if (settings->operands.empty()) return fail("heddle prove needs a program; see heddle prove --help");
  if (auto set = settings->options.add_setting("serial=1", "heddle prove"); !set) return fail(set.error());
  const bool quiet = settings->options.flag("quiet");
  const auto found = find_watched(settings->operands.front(), quiet);
  if (!found) return fail(found.error());
  auto log = LogFile::create(settings->options.text("keep-log"));
  if (!log) return fail(log.error());

  explore::ProgramOptions options;
  options.path = found->path;
  options.words = settings->operands;
  options.environment = watched_environment(*log, settings->options);
  options.workers = request->jobs;
  options.patience = request->patience;
  options.choose_at_accesses = request->policy->cuts() == explore::Reduction::Cuts::kAccesses;
  options.choose_at_permissions = request->policy->cuts() == explore::Reduction::Cuts::kRegions;
  auto program = explore::Program::start(options);
  if (!program) return fail(program.error());
  if ((*program)->sequential()) {
    std::fprintf(stderr, "heddle: race-free for this input: it does nothing in parallel\n");
    return 0;
  }
  std::vector<explore::Executor*> executors;
  for (auto& executor : (*program)->executors()) executors.push_back(executor.get());

  std::signal(SIGINT, [](int) { g_interrupted = 1; });
  std::signal(SIGTERM, [](int) { g_interrupted = 1; });
  Watcher watcher(!quiet);
  const explore::Options bounds{request->policy, request->keep_going, request->most_orders,
                                request->most_seconds};
  const explore::Outcome outcome = explore::explore(executors, bounds, watcher);
  watcher.clear_line();
  const explore::Statistics& s = outcome.statistics;
  if (s.racy || s.deadlocks || s.crashes) {
    std::fprintf(stderr, "heddle: %llu of %llu executions race, %llu deadlock, %llu crash\n",
                 (unsigned long long)s.racy, (unsigned long long)s.executions,
                 (unsigned long long)s.deadlocks, (unsigned long long)s.crashes);
    return 66;
  }
  if (outcome.verdict == explore::Verdict::kComplete) {
    std::fprintf(stderr, "heddle: race-free for this input: %s\n", counts(s).c_str());
    return 0;
  }
  std::fprintf(stderr, "heddle: undecided: %s; %llu more are known%s\n", counts(s).c_str(),
               (unsigned long long)s.open,
               watcher.problem().empty() ? "" : ("; " + watcher.problem()).c_str());
  return kUndecided;
}

}  // namespace

const Verb kProveVerb{"prove", "explore every order that matters; find a race, or prove that there is none",
                      help, run};

}  // namespace heddle::cli
