#include "launch/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/ask_signal.hpp"
#include "launch/hang_watch.hpp"
#include "support/files.hpp"

namespace heddle::launch {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

volatile sig_atomic_t child_pid = 0;

void forward(int number, siginfo_t* info, void*) {
  // A key press (Ctrl-C) goes to the whole foreground group: the child has it already.
  if (info->si_code == SI_KERNEL) return;
  if (child_pid > 0) kill(child_pid, number);
}

// Blocks the forwarded signals while it lives: none may arrive between the start of the child and the assignment of
// its pid.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : kForwarded) sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockedSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

// The child inherits it.
class Personality {
 public:
  explicit Personality(Addresses addresses) : before_(personality(kAsk)) {
    if (addresses == Addresses::kTheSame && before_ != -1)
      personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
  }
  ~Personality() {
    if (before_ != -1) personality(static_cast<unsigned long>(before_));
  }
  Personality(const Personality&) = delete;
  Personality& operator=(const Personality&) = delete;

 private:
  static constexpr unsigned long kAsk = 0xffffffff;
  int before_;
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

int spawn(const std::string& path, const std::vector<std::string>& words,
          const std::vector<std::string>& environment, int output, pid_t& pid) {
  const BlockedSignals blocked;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &blocked.before());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  int error = 0;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (output >= 0 && !error) error = posix_spawn_file_actions_adddup2(&files, output, stream);
  if (!error)
    error = posix_spawn(&pid, path.c_str(), &files, &attributes, pointers(words).data(),
                        pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return error;
  child_pid = pid;
  for (const int number : kForwarded) {
    // A signal that was ignored when we started (nohup) stays ignored, here and in the child.
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
  return 0;
}

// Captures both streams, if requested.
class OutputFile {
 public:
  explicit OutputFile(Output output)
      : captures_(output == Output::kCaptured),
        descriptor_(output == Output::kShown ? -1
                    : captures_              ? memfd_create("output", MFD_CLOEXEC)
                                             : open("/dev/null", O_WRONLY | O_CLOEXEC)) {}
  ~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  Result<std::string> text() const {
    if (!captures_) return std::string();
    std::string result;
    lseek(descriptor_, 0, SEEK_SET);
    const int error = read_all(descriptor_, result);
    if (error != 0)
      return Error{std::string("cannot read what the program printed: ") + std::strerror(error)};
    return result;
  }

 private:
  const bool captures_;
  const int descriptor_;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

// It remains to be waited for.
bool has_ended(pid_t pid) {
  siginfo_t ended{};
  const int error = waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
  return error == 0 ? ended.si_pid == pid : errno != EINTR;
}

// Waits for the end of a process, with a time limit.
class EndOf {
 public:
  explicit EndOf(pid_t pid) : descriptor_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  ~EndOf() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  EndOf(const EndOf&) = delete;
  EndOf& operator=(const EndOf&) = delete;
  void wait_a_moment() const {
    constexpr int kMoment = 50, kWithoutDescriptor = 2;  // milliseconds
    pollfd ended{descriptor_, POLLIN, 0};
    poll(&ended, descriptor_ >= 0 ? 1 : 0, descriptor_ >= 0 ? kMoment : kWithoutDescriptor);
  }

 private:
  const int descriptor_;
};

// Processes with Heddle's runtime report the state of their threads, and end. Those that do not answer are killed.
void end_program(pid_t pid, int value, const ChildOptions& options) {
  std::vector<int> asked = options.processes ? options.processes() : std::vector<int>{};
  sigval what{};
  what.sival_int = value;
  for (const int process : asked) sigqueue(process, ask::kSignal, what);
  const EndOf ending(pid);
  constexpr double kMostAnswering = 5;
  for (const auto since = Clock::now();
       !asked.empty() && !has_ended(pid) && seconds_since(since) < kMostAnswering;)
    ending.wait_a_moment();
  for (const int process : asked)
    if (process != pid) kill(process, SIGKILL);
  kill(pid, SIGKILL);
}

// Ends the program if the tool fails before it has waited for it (out of memory).
struct Started {
  pid_t pid;
  ~Started() {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_pid = 0;
  }
};

// Returns when it has ended, or was ended at its time limit.
void watch(pid_t pid, const ChildOptions& options, ChildEnd& end) {
  const auto start = Clock::now();
  HangWatch hang(pid);
  const EndOf ending(pid);
  while (!has_ended(pid)) {
    if (options.most_seconds > 0 && seconds_since(start) > options.most_seconds) {
      end.late = true;
      return end_program(pid, ask::kTimeIsOver, options);
    }
    if (options.most_hanging > 0 && hang.seconds() > options.most_hanging) {
      end.hung = true;
      return end_program(pid, ask::kHangs, options);
    }
    ending.wait_a_moment();
  }
}

}  // namespace

Result<ChildEnd> run_child(const std::string& path, const std::vector<std::string>& words,
                           const std::vector<std::string>& environment, const ChildOptions& options) {
  pid_t pid = 0;
  const Personality personality(options.addresses);
  const OutputFile output(options.output);
  if (options.output != Output::kShown && output.descriptor() < 0)
    return Error{std::string("cannot make a file for what the program prints: ") + std::strerror(errno)};
  if (const int error = spawn(path, words, environment, output.descriptor(), pid); error != 0)
    return Error{"cannot run '" + path + "': " + std::strerror(error)};
  Started started{pid};
  ChildEnd end;
  int status = 0;
  if (options.most_seconds > 0 || options.most_hanging > 0) watch(pid, options, end);
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return Error{std::string("cannot wait for the program: ") + std::strerror(errno)};
  started.pid = 0;
  child_pid = 0;  // from here on there is no child to forward to; the report is made undisturbed
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.code = end.signal ? 128 + end.signal : WEXITSTATUS(status);
  auto printed = output.text();
  if (!printed) return printed.failure();
  end.output = std::move(*printed);
  return end;
}

}  // namespace heddle::launch
