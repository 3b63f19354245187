#include "explore/session/exploration.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <set>

#include "explore/digest.hpp"
#include "model/libraries.hpp"
#include "support/files.hpp"

namespace heddle::explore {
namespace {

// Two sums over the bytes, mixed: 128 bits, to distinguish files.
class Hash {
 public:
  void add(std::string_view text) {
    for (unsigned char c : text) {
      digest_.high = digest_mix(digest_.high * 31 + c + 1);
      digest_.low = digest_mix(digest_.low ^ (u64{c} << 8 | 0x5d));
    }
    digest_.high = digest_mix(digest_.high + text.size());
  }
  std::string text() const {
    std::array<char, 40> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%016llx%016llx",
                  static_cast<unsigned long long>(digest_.high),
                  static_cast<unsigned long long>(digest_.low));
    return buffer.data();
  }

 private:
  Digest digest_{1, 2};
};

// In blocks of this size, on which the sum depends.
void add_text(Hash& hash, std::string_view text) {
  constexpr usize kBlock = 1 << 16;
  for (; !text.empty(); text.remove_prefix(std::min(kBlock, text.size()))) hash.add(text.substr(0, kBlock));
}

// Libraries of every program: hooks cover their calls, or they do not matter to the verdict.
bool is_known(const std::string& module) {
  const std::string name = module.substr(module.rfind('/') + 1);
  static constexpr std::array kKnown = {"ld-linux",  "libc.so", "libm.so",    "libstdc++", "libgcc_s",
                                        "libheddle", "libdl",   "libpthread", "librt",     "linux-vdso"};
  const auto begins_with = [&](const char* known) { return name.starts_with(known); };
  return name.empty() || std::any_of(std::begin(kKnown), std::end(kKnown), begins_with) ||
         std::any_of(std::begin(heddle::model::kLibraries), std::end(heddle::model::kLibraries), begins_with);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

}  // namespace

Result<StartedProgram> start_exploration(Settings& settings, const StartOptions& start,
                                         const Reduction& reduction) {
  if (auto set = settings.options.add_setting("serial=1", "heddle"); !set) return Error{set.error()};
  auto watched = launch::find_watched(settings.operands.front(), true);
  if (!watched) return Error{watched.error()};
  if (watched->kind != launch::ProgramKind::Heddle)
    return Error{"'" + watched->name +
                 "' was not built with Heddle: only what heddle c++ has built can be explored"};
  if (auto problem = launch::unfit_for_serial(*watched)) return Error{*problem};
  auto log = launch::LogFile::create(settings.options.text("keep-log"));
  if (!log) return Error{log.error()};
  ProgramOptions options;
  options.path = watched->path;
  options.words = settings.operands;
  // Otherwise every execution would resolve again each library function that it calls first.
  options.environment = launch::watched_environment(*log, settings.options, {"LD_BIND_NOW=1"});
  options.workers = start.jobs;
  options.step_timeout = start.step_timeout;
  options.unwanted = start.unwanted;
  options.choose_at_accesses = reduction.cuts() == Reduction::Cuts::kAccesses;
  options.choose_at_permissions = reduction.cuts() == Reduction::Cuts::kRegions;
  if (start.adapt) start.adapt(options);
  auto program = Program::start(options);
  if (!program) return Error{program.error()};
  return StartedProgram{*watched, std::move(*log), std::move(*program)};
}

std::string given_up(const StartedProgram& exploration) {
  const std::string name = "'" + exploration.watched.name + "' ";
  const auto raw = exploration.log.read();
  if (!raw) return raw.error();
  // The runtime has given it up, and said why: in the log, or, where that cannot be written, or a library of it did,
  // by its exit code only.
  constexpr int kGivenUp = 70;
  const int status = exploration.program->status();
  const bool has_given_up = WIFEXITED(status) && WEXITSTATUS(status) == kGivenUp;
  for (const auto& process : raw->processes)
    if (process.end_reason == "internal" || (has_given_up && !process.end_reason))
      return name + "cannot be explored" + (process.warnings.empty() ? "" : ": " + process.warnings.back());
  return raw->processes.empty() ? name + "did not start" : "";
}

Result<std::string> program_hash(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Error{"cannot read '" + path + "': " + text.error()};
  Hash hash;
  add_text(hash, *text);
  return hash.text();
}

Result<std::string> input_hash(const Settings& settings) {
  Hash hash;
  for (usize i = 1; i < settings.operands.size(); ++i) hash.add(settings.operands[i]);
  for (const std::string& variable : launch::run_line(settings).environment) hash.add(variable);
  hash.add(settings.options.runtime_settings());
  struct stat status;
  if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode)) {
    const auto text = read_file("/dev/stdin");
    if (!text) return Error{"cannot read the standard input: " + text.error()};
    add_text(hash, *text);
  }
  return hash.text();
}

std::vector<std::string> assumptions(const StartedProgram& exploration, u32 bits) {
  using control::Assumption;
  struct Text {
    Assumption bit;
    const char* text;
  };
  static constexpr std::array kTexts = {
      Text{Assumption::kStrongAtomics,
           "weakly ordered atomic operations behave as sequentially consistent ones"},
      Text{Assumption::kTimeouts, "a timeout passes only when no other thread can run"},
      Text{Assumption::kSpins, "a failed poll is retried only when what it read has another value"},
      Text{Assumption::kOwnLocks, "locks that one task acquires and another releases order nothing"},
      Text{Assumption::kNoSpuriousWakeUps, "no wait for a condition variable ends without a notification"},
      Text{Assumption::kThreadsOwn,
           "blocks that a thread allocates in the region are its own, and so is what tasks reach by its "
           "number or its variables"},
      Text{Assumption::kClocks, "clocks show the time that sleeps and timeouts took, and no more"},
      Text{Assumption::kInput, "input from outside is the same in every execution"},
      Text{Assumption::kCutOff,
           "a wait for something from outside at the end of the process is never satisfied"},
      Text{Assumption::kSerialThread, "the last thread to arrive at a barrier is its serial thread"},
      Text{Assumption::kReadersFirst, "a reader does not wait for a writer that waits"},
      Text{Assumption::kTries,
           "a try of a free lock succeeds, and weak exchanges fail only if the values differ"},
      Text{Assumption::kSignals,
           "signals and cancellations come at one moment only, of several possible ones"},
      Text{Assumption::kOwnCopies, "the teams of a target region share nothing that only the region has"},
      Text{Assumption::kThreadNumbers, "a task runs on the thread that created it"},
      Text{Assumption::kOneOrder,
           "the order of some operations does not matter: on descriptors, ends of threads, cancelled oneTBB "
           "tasks"},
      Text{Assumption::kNoReuse, "memory that another thread frees is not allocated again"},
  };
  std::vector<std::string> result;
  for (const Text& text : kTexts)
    if (bits & static_cast<u32>(text.bit)) result.emplace_back(text.text);
  std::set<std::string> foreign;
  if (const auto log = exploration.log.read())
    for (const auto& process : log->processes)
      for (const auto& module : process.modules)
        if (!is_known(module.path) && !is_same_file(module.path, exploration.watched.path))
          foreign.insert(module.path);
  for (const std::string& module : foreign)
    result.push_back("accesses inside of " + module + " do not matter");
  return result;
}

std::string beside(const std::string& program, const std::string& suffix) {
  return program.substr(program.rfind('/') + 1) + suffix;
}

}  // namespace heddle::explore
