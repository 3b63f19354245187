#include "explore/schedule.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace heddle::explore {
namespace {

constexpr std::string_view kMagic = "heddle-schedule";
constexpr std::string_view kVersion = "1";
// Limit of one repeat count ("x3"): a damaged count must not exhaust the memory.
constexpr u32 kLongestRun = 1 << 16;

constexpr std::string_view kTryFree = "try-free";
constexpr std::pair<Op, std::string_view> kWords[] = {
    {Op::kStart, "start"}, {Op::kAcquire, "acquire"}, {Op::kTryAcquire, "try-acquire"},
    {Op::kWait, "wait"},   {Op::kAtomic, "atomic"},   {Op::kChoice, "choice"},
    {Op::kGoOn, "go-on"},  {Op::kAccess, "access"},
};

// Arguments may contain any character: line breaks and backslashes are written as \n, \r, \\.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\\')
      result += "\\\\";
    else
      result += c;
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (usize i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    char c = text[++i];
    result += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  std::string_view word = line.substr(0, line.find(' '));
  line = trimmed(line.substr(word.size()));
  return word;
}

bool is_path(std::string_view text) {
  if (text.empty() || text[0] != '0') return false;
  for (usize i = 1; i < text.size(); ++i) {
    if (text[i] == '.' && i + 1 < text.size() && text[i + 1] != '.') continue;
    if (text[i] < '0' || text[i] > '9' || i == 1) return false;
  }
  return true;
}

// The number of a trailing "x3"; 1 if there is none, 0 if it is invalid.
u32 take_repeat(std::string_view& object) {
  usize space = object.rfind(' ');
  std::string_view last = space == object.npos ? object : object.substr(space + 1);
  if (last.size() < 2 || last[0] != 'x') return 1;
  u32 count = 0;
  auto [end, error] = std::from_chars(last.data() + 1, last.data() + last.size(), count);
  if (end != last.data() + last.size() && error == std::errc()) return 1;
  if (error != std::errc()) return last[1] >= '0' && last[1] <= '9' ? 0 : 1;
  object = trimmed(object.substr(0, space == object.npos ? 0 : space));
  return count;
}

std::string word_of(const ScheduledStep& step) {
  return std::string(step.finds_free ? kTryFree : word(step.op));
}

std::string described(const ScheduledStep& step) {
  return step.actor + " (" + word_of(step) + (step.object.empty() ? ")" : " " + step.object + ")");
}

}  // namespace

std::string_view word(Op op) {
  for (auto [value, text] : kWords)
    if (value == op) return text;
  __builtin_unreachable();
}

std::optional<Op> op_of(std::string_view text) {
  for (auto [value, word] : kWords)
    if (word == text) return value;
  return std::nullopt;
}

std::vector<ScheduledStep> scheduled(const Execution& execution, const std::vector<u32>& steps,
                                     const ActorNames& names, const ObjectNamer& namer) {
  std::vector<ScheduledStep> result;
  result.reserve(steps.size());
  for (u32 i : steps) {
    const Step& step = execution.steps[i];
    result.push_back(
        {names.path(step.actor), step.op, namer(step), step.op == Op::kTryAcquire && step.succeeded});
  }
  return result;
}

std::vector<ScheduledStep> scheduled(const Execution& execution, const ActorNames& names,
                                     const ObjectNamer& namer) {
  std::vector<u32> all(execution.steps.size());
  std::iota(all.begin(), all.end(), 0u);
  return scheduled(execution, all, names, namer);
}

std::string to_text(const Schedule& schedule) {
  std::string text = std::string(kMagic) + " " + std::string(kVersion) + "\n";
  if (!schedule.shows.empty()) {
    text += "# ";
    for (char c : schedule.shows) text += c == '\n' ? std::string("\n# ") : std::string(1, c);
    text += "\n";
  }
  text += "program " + escaped(schedule.program) + "\n";
  for (const std::string& argument : schedule.arguments) text += "argument " + escaped(argument) + "\n";
  for (const std::string& site : schedule.sites) text += "site " + escaped(site) + "\n";
  usize width = 0;
  for (const ScheduledStep& step : schedule.steps) width = std::max(width, step.actor.size());
  for (usize i = 0; i < schedule.steps.size();) {
    const ScheduledStep& step = schedule.steps[i];
    usize same = 1;
    while (i + same < schedule.steps.size() && same < kLongestRun && schedule.steps[i + same] == step) ++same;
    std::string line = step.actor + std::string(width - step.actor.size() + 2, ' ') + word_of(step);
    if (!step.object.empty() || same > 1) line.resize(std::max(line.size(), width + 14), ' ');
    if (!step.object.empty()) line += " " + escaped(step.object);
    // An object's name may itself end like a count.
    if (std::string_view rest = step.object; same > 1 || take_repeat(rest) != 1 || rest != step.object)
      line += " x" + std::to_string(same);
    text += line + "\n";
    i += same;
  }
  return text + "end\n";
}

Result<Schedule> parse_schedule(std::string_view text) {
  Schedule schedule;
  usize number = 0;
  bool ended = false, has_program = false;
  auto wrong = [&](const std::string& what) {
    return Error{"line " + std::to_string(number) + " of the schedule: " + what};
  };
  while (!text.empty()) {
    std::string_view raw = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), raw.size() + 1));
    ++number;
    std::string_view line = trimmed(raw);
    if (number == 1) {
      if (take_word(line) != kMagic)
        return wrong("this is no schedule: it does not begin with 'heddle-schedule'");
      if (line != kVersion)
        return wrong("version '" + std::string(line) + "' is not known here, only " + std::string(kVersion));
      continue;
    }
    if (line.empty()) continue;
    if (ended) return wrong("nothing may follow 'end'");
    if (line[0] == '#') {
      line.remove_prefix(line.size() > 1 && line[1] == ' ' ? 2 : 1);
      schedule.shows += (schedule.shows.empty() ? "" : "\n") + std::string(line);
      continue;
    }
    if (line == "end") {
      ended = true;
      continue;
    }
    std::string_view first = take_word(line);
    if (first == "program" || first == "argument" || first == "site") {
      if (!schedule.steps.empty()) return wrong("'" + std::string(first) + "' must come before the steps");
      // Everything after the one space, blanks included.
      std::string value = unescaped(raw.substr(std::min(raw.size(), raw.find(first) + first.size() + 1)));
      if (first == "program")
        schedule.program = value, has_program = true;
      else
        (first == "site" ? schedule.sites : schedule.arguments).push_back(value);
      continue;
    }
    if (!is_path(first))
      return wrong("'" + std::string(first) + "' is no actor; actors are called 0, 0.1, 0.1.2");
    std::string_view op = take_word(line);
    const bool finds_free = op == kTryFree;
    std::optional<Op> known = finds_free ? Op::kTryAcquire : op_of(op);
    if (!known)
      return wrong(
          "'" + std::string(op) +
          "' is not what a step begins with: start, acquire, try-acquire, try-free, wait, atomic, choice, "
          "access, go-on");
    u32 count = take_repeat(line);
    if (count == 0 || count > kLongestRun)
      return wrong("'" + std::string(line) + "' does not end with a count from 1 to " +
                   std::to_string(kLongestRun));
    ScheduledStep step{std::string(first), *known, unescaped(line), finds_free};
    schedule.steps.insert(schedule.steps.end(), count, step);
  }
  if (number == 0) return Error{"the schedule is empty"};
  if (!ended) return Error{"the schedule has no last line 'end': its end was lost"};
  if (!has_program) return Error{"the schedule does not name its program"};
  return schedule;
}

std::optional<std::string> divergence(const Schedule& schedule, const Execution& execution,
                                      const ActorNames& names, const ObjectNamer& namer) {
  std::vector<ScheduledStep> made = scheduled(execution, names, namer);
  for (usize i = 0; i < schedule.steps.size(); ++i) {
    std::string at = "step " + std::to_string(i) + " of " + std::to_string(schedule.steps.size()) +
                     ": expected " + described(schedule.steps[i]) + ", but ";
    if (i >= made.size())
      return at + "the execution ended" + (execution.problem.empty() ? "" : ": " + execution.problem);
    if (made[i] != schedule.steps[i]) return at + "it was " + described(made[i]);
  }
  return std::nullopt;
}

}  // namespace heddle::explore
