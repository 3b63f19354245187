#include "replay/gdb_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "explore/program/replay_board.hpp"
#include "launch/child.hpp"
#include "launch/find_program.hpp"
#include "launch/log_file.hpp"
#include "launch/watched_program.hpp"
#include "replay/places.hpp"

namespace heddle::replay {
namespace {

// The number of final steps that are the bug: the two accesses of a race, the last one of an atomicity violation.
// Without any, only the deadlock itself remains to stop before.
u32 steps_of_bug(const explore::Schedule& schedule) {
  if (schedule.sites.empty()) return 1;
  return schedule.sites.size() > 2 ? 1 : 2;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> result;
  for (char** variable = environ; *variable; ++variable) result.emplace_back(*variable);
  return result;
}

}  // namespace

Result<int> run_in_gdb(Settings settings, const explore::Schedule& schedule) {
  if (auto set = settings.options.add_setting("serial=1", "heddle"); !set) return Error{set.error()};
  const auto program = launch::find_watched(settings.operands.front(), true);
  if (!program) return Error{program.error()};
  const auto places = find_places(program->path, std::span(schedule.sites));
  if (!places) return Error{"the schedule does not fit the program: " + places.error()};
  auto board = explore::ReplayBoard::create(schedule, *places);
  if (!board) return Error{board.error()};
  board->stop_before_last(steps_of_bug(schedule));
  const auto log = launch::LogFile::create("");
  if (!log) return Error{log.error()};

  // The debugger's name, and options for it.
  const char* named = std::getenv("HEDDLE_GDB");
  std::istringstream text(named ? named : "gdb -q");
  text.exceptions(std::ios::badbit);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  const std::string debugger = words.empty() ? "" : launch::find_program(words.front());
  if (debugger.empty()) return Error{"there is no debugger '" + (words.empty() ? "" : words.front()) + "'"};
  const auto command = [&](const std::string& line) {
    words.emplace_back("-ex");
    words.push_back(line);
  };
  // A shell in between would be preloaded, too.
  command("set startup-with-shell off");
  const std::vector<std::string> own = own_environment();
  for (const std::string& variable : launch::watched_environment(*log, settings.options, {board->variable()}))
    if (std::find(own.begin(), own.end(), variable) == own.end()) {
      const usize equals = std::min(variable.find('='), variable.size() - 1);
      command("set environment " + variable.substr(0, equals) + " = " + variable.substr(equals + 1));
    }
  // The signals by which the runtime asks a thread to yield, or for its last accesses.
  for (const char* signal : {"SIG60", "SIG61"})
    command(std::string("handle ") + signal + " nostop noprint pass");
  command("break heddle_bug_is_next");
  command("run");
  command("info threads");
  words.emplace_back("--args");
  words.push_back(program->path);
  words.insert(words.end(), settings.operands.begin() + 1, settings.operands.end());
  const auto end = launch::run_child(debugger, words, own);
  if (!end) return Error{end.error()};
  return end->code;
}

}  // namespace heddle::replay
