#include "report/interleaving.hpp"

#include <algorithm>

#include "report/stacks.hpp"

namespace heddle::report {
namespace {

std::string task_words(const Access& access) { return "task " + std::to_string(access.task); }

std::string variable_words(const Violation& violation) {
  return violation.variable.name.empty() ? "it" : "`" + violation.variable.name + "`";
}

// What all three touch: one variable, or some of those that belong together.
std::string object_words(const Violation& violation) {
  if (violation.group.empty()) return variable_words(violation);
  std::string words = "one of ";
  for (std::size_t i = 0; i < violation.group.size(); ++i)
    words += (i == 0 ? "`" : ", `") + violation.group[i] + "`";
  return words;
}

std::string holding_words(const Access& access) {
  if (access.locks.empty()) return "";
  std::string words = ", holding ";
  for (std::size_t i = 0; i < access.locks.size(); ++i)
    words += (i == 0 ? "" : ", ") + lock_words(access.locks[i]);
  return words;
}

bool holds(const Access& access, const Lock& lock) {
  return std::any_of(access.locks.begin(), access.locks.end(),
                     [&](const Lock& held) { return held.id == lock.id; });
}

// Locks of the one that exclude the other: they must be released in between.
std::vector<const Lock*> in_the_way(const Access& access, const Access& intruder) {
  std::vector<const Lock*> locks;
  for (const Lock& lock : access.locks)
    for (const Lock& other : intruder.locks)
      if (lock.id == other.id && (lock.mode != "read" || other.mode != "read")) locks.push_back(&lock);
  return locks;
}

std::string consequence(const Violation& violation) {
  const std::string step = task_words(violation.first), other = task_words(violation.second);
  const std::string& pattern = violation.pattern;
  if (!violation.group.empty())
    return step + " and " + other +
           " do not agree on which of them came first, though what they touch belongs together";
  if (pattern == "R-W-R") return step + " reads two different values in one step";
  if (pattern == "R-W-W") return step + " overwrites it: what " + other + " wrote is lost";
  if (pattern == "W-W-R") return step + " does not read what it wrote";
  if (pattern == "W-W-W") return "what " + other + " wrote is lost in the middle of what " + step + " does";
  return other + " reads an intermediate value of " + step;
}

}  // namespace

std::string place_words(const Access& access) {
  const Frame* frame = access.stack.user_frame();
  if (!frame) return "";
  if (frame->line > 0) return " at " + short_place(*frame);
  return frame->function.empty() ? "" : " in " + frame->function;
}

std::string lock_words(const Lock& lock) {
  if (!lock.name.empty()) return lock.kind + " `" + lock.name + "`";
  return lock.kind + (lock.id != 0 ? " " + std::to_string(lock.id) : "");
}

std::vector<std::string> interleaving(const Violation& violation) {
  const std::string object = object_words(violation);
  auto does = [&](const Access& access) {
    return task_words(access) + (access.op == "read" ? " reads " : " writes ") + object +
           place_words(access) + holding_words(access);
  };
  std::vector<std::string> lines{does(violation.first)};
  for (const Lock* lock : in_the_way(violation.first, violation.second))
    lines.push_back(task_words(violation.first) + " releases " + lock_words(*lock));
  lines.push_back(does(violation.second));
  for (const Lock* lock : in_the_way(violation.last, violation.second))
    lines.push_back(task_words(violation.first) + " acquires " + lock_words(*lock) +
                    (holds(violation.first, *lock) ? " again" : ""));
  lines.push_back(does(violation.last));
  lines.push_back("so " + consequence(violation));
  return lines;
}

std::string violation_headline(const Violation& violation) {
  auto op = [](const Access& access) { return access.op + place_words(access); };
  return "the " + op(violation.second) + " can come between " + op(violation.first) + " and " +
         op(violation.last) + " of one step, all of " + object_words(violation) + " (" + violation.pattern +
         ")";
}

std::string violation_hint(const Violation& violation) {
  const Access& last = violation.last;
  for (const Lock& lock : violation.first.locks)
    if (holds(last, lock) && holds(violation.second, lock))
      return lock_words(lock) +
             " protects each access, but is released in between: hold it from the first to the last";
  for (const Lock& lock : violation.first.locks)
    if (holds(last, lock))
      return lock_words(lock) + " is held for the first and the last access, but not for the one in between";
  return "no lock is held from the first access to the last that the one in between needs, too";
}

}  // namespace heddle::report
