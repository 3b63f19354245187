#include "confirm/effect.hpp"

#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "support/files.hpp"

namespace heddle::confirm {
namespace {

using explore::End;
using explore::SteeredRun;
using Kind = Effect::Kind;

// The line in which the C library, or a C++ runtime, gives the reason of an abort.
std::string last_words(const std::string& output) {
  for (const std::string_view line : lines_of(output))
    for (const char* mark : {"Assertion `", "Assertion '", "assertion failed", "terminate called"})
      if (line.find(mark) != line.npos) return std::string(line);
  return "";
}

std::string quoted(std::string text) {
  constexpr usize kMost = 60;
  for (char& c : text)
    if (c == '\n') c = ' ';
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return "\"" + text + "\"";
}

// The first line in which they differ.
std::string difference(const std::string& usual, const std::string& now) {
  const auto a = lines_of(usual), b = lines_of(now);
  for (usize i = 0;; ++i) {
    const bool has_a = i < a.size(), has_b = i < b.size();
    if (has_a && has_b && a[i] == b[i]) continue;
    const std::string x(has_a ? a[i] : ""), y(has_b ? b[i] : "");
    if (!has_a) return "prints " + quoted(y) + " besides";
    if (!has_b) return "does not print " + quoted(x);
    return "prints " + quoted(y) + " instead of " + quoted(x);
  }
}

}  // namespace

Effect effect_of(const SteeredRun& run, const SteeredRun& usual, bool compares_output) {
  if (run.end == End::kDeadlock) return {Kind::kDeadlock, "deadlock"};
  if (run.end == End::kTooLong) return {Kind::kEndless, "does not end"};
  if (WIFSIGNALED(run.status)) {
    const int signal = WTERMSIG(run.status);
    const std::string words = last_words(run.output);
    if (signal == SIGABRT && words.find("ssertion") != words.npos) return {Kind::kAssertion, words};
    return {Kind::kCrash,
            std::string("killed by ") + strsignal(signal) + (words.empty() ? "" : ": " + words)};
  }
  if (WEXITSTATUS(run.status) != (WIFEXITED(usual.status) ? WEXITSTATUS(usual.status) : 0))
    return {Kind::kExitCode, "exit code " + std::to_string(WEXITSTATUS(run.status))};
  if (compares_output && run.output != usual.output)
    return {Kind::kOutput, difference(usual.output, run.output)};
  return {};
}

}  // namespace heddle::confirm
