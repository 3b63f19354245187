#include "launch/hang_watch.hpp"

#include <signal.h>
#include <sys/syscall.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/ask_signal.hpp"

namespace heddle::launch {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(200);

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// Is the memory shared? Then other processes can wake a thread that waits there.
bool is_shared(const std::string& folder, std::uint64_t address) {
  std::ifstream in(folder + "/maps");
  for (std::string line; std::getline(in, line);) {  // "7f0000000000-7f0000001000 rw-s ..."
    std::istringstream words(line);
    std::uint64_t low = 0, high = 0;
    char dash = 0;
    std::string rights;
    words >> std::hex >> low >> dash >> high >> rights;
    if (address >= low && address < high) return !rights.ends_with('p');
  }
  return true;
}

// "202 0x7f.. 0x80 0x0 0x0 ...": the call, then its arguments. The fourth of futex is the time limit.
bool waits_for_a_word(const std::string& folder, const std::string& call) {
  std::istringstream words(call);
  std::string number;
  words >> number;
  if (number != std::to_string(SYS_futex)) return false;
  std::uint64_t address = 0, operation = 0, value = 0, limit = 0;
  words >> std::hex >> address >> operation >> value >> limit;
  constexpr std::uint64_t kWait = 0, kWaitBitset = 9, kLock = 6, kPrivate = 0x80, kCommands = 0x7f;
  const std::uint64_t command = operation & kCommands;
  if (!words || limit != 0 || (command != kWait && command != kWaitBitset && command != kLock)) return false;
  return (operation & kPrivate) || !is_shared(folder, address);
}

// A handler of the program may wake a thread up. Handlers of the C library and of the runtime do not: the runtime
// handles fatal signals, and the signal of the tool's queries; and it handles ask::kProgramHandles, too, if the
// program has any handler.
bool handles_signals(const std::string& folder) {
  std::ifstream in(folder + "/status");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("SigCgt:")) continue;
    std::uint64_t caught = std::stoull(line.substr(line.find(':') + 1), nullptr, 16);
    for (const int own : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGSYS,
                          32, 33, ask::kSignal})
      caught &= ~(std::uint64_t{1} << (own - 1));
    return caught != 0;
  }
  return true;
}

}  // namespace

std::string how_threads_wait(const std::string& folder) {
  std::string text;
  std::error_code problem;
  for (const auto& thread : std::filesystem::directory_iterator(folder + "/task", problem)) {
    const std::string place = thread.path().string(), call = first_line(place + "/syscall");
    if (!waits_for_a_word(folder, call)) return "";
    text += thread.path().filename().string() + " " + call + " " + first_line(place + "/schedstat") + "\n";
  }
  return problem || text.empty() || handles_signals(folder) ? "" : text;
}

double HangWatch::seconds() {
  const auto now = Clock::now();
  if (now >= next_look_) {
    next_look_ = now + kBetweenLooks;
    const std::string waits = how_threads_wait("/proc/" + std::to_string(process_));
    if (waits.empty() || waits != before_) since_ = now;
    before_ = waits;
  }
  return before_.empty() ? 0 : std::chrono::duration<double>(now - since_).count();
}

}  // namespace heddle::launch
