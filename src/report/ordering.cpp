#include "report/ordering.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "model/words.hpp"
#include "report/stacks.hpp"

namespace heddle::report {
namespace {

constexpr const char* kNothingOrders = "nothing in the program's structure orders the two";

std::vector<TaskId> path_to_root(const Process& process, TaskId id) {
  std::vector<TaskId> path;
  // A cycle can only come from a damaged log; no real chain is longer than the table.
  while (id != 0 && path.size() <= process.tasks.size()) {
    path.push_back(id);
    const auto task = process.tasks.find(id);
    if (task == process.tasks.end()) break;
    id = task->second.parent;
  }
  return path;
}

std::string kind_of(const Process& process, TaskId id) {
  const auto task = process.tasks.find(id);
  return task == process.tasks.end() ? "task" : task->second.kind;
}

std::string place(const Access& access) {
  const Frame* frame = access.stack.user_frame();
  const std::string text = frame ? short_place(*frame) : "";
  return text.empty() ? "its access" : text;
}

std::string task(TaskId id) { return "task " + std::to_string(id); }

// One task is an ancestor of the other: it continued while its descendant ran.
std::string creator_sentence(const Process& process, TaskId creator, const std::vector<TaskId>& below,
                             const Access& creators_access) {
  const TaskId child = below.back();
  const model::TaskWords* words = model::find_task(kind_of(process, child));
  const std::string text = task(creator) + " continues after creating " + task(child);
  const std::string before = " before " + place(creators_access) + " would order them";
  if (words && below.size() > 1)
    if (const char* join = model::words_of(words->family).descendants)
      return text + ", whose descendant " + task(below.front()) + " makes the other access; " + join + before;
  return text + (words && words->joined_by ? words->joined_by : "; something that waits for it") + before;
}

std::string filled_in(std::string sentence, const std::map<std::string_view, std::string>& names) {
  for (const auto& [name, text] : names)
    if (const std::size_t at = sentence.find(name); at != std::string::npos)
      sentence.replace(at, name.size(), text);
  return sentence;
}

std::string sibling_sentence(const RawTask& a, const RawTask& b) {
  const model::TaskWords *first = model::find_task(a.kind), *second = model::find_task(b.kind);
  if (first && first == second) {
    if (first->one_construct && a.created == b.created) return first->one_construct;
    if (first->same_kind) return first->same_kind;
  }
  const auto filled = [&](const char* sentence, bool is_first) {
    return filled_in(sentence, {{"{first}", a.kind},
                                {"{second}", b.kind},
                                {"{self}", is_first ? a.kind : b.kind},
                                {"{other}", is_first ? b.kind : a.kind}});
  };
  if (first && second && first->family == second->family)
    if (const char* sentence = model::words_of(first->family).both) return filled(sentence, true);
  // Families are numbered as they are listed: the first one that has something to say.
  const bool in_order = !second || (first && first->family <= second->family);
  for (const bool is_first : {in_order, !in_order})
    if (const auto* words = is_first ? first : second)
      if (const char* sentence = model::words_of(words->family).with_other) return filled(sentence, is_first);
  return kNothingOrders;
}

// The task of one side at which the two sides part: the child of the common ancestor. For members of a team
// it is more telling to name the share of work that the member was doing.
auto constructs_meeting(const Process& process, const std::vector<TaskId>& side) {
  if (side.empty()) return process.tasks.end();
  const auto child = process.tasks.find(side.back());
  if (child == process.tasks.end() || child->second.kind != "implicit task" || side.size() < 2) return child;
  const auto below = process.tasks.find(side[side.size() - 2]);
  const bool share =
      below != process.tasks.end() && !model::is_of(below->second.kind, model::Family::kOpenMpTask);
  return share ? below : child;
}

std::string lock_words(const Lock& lock) {
  return lock.kind + (lock.name.empty() ? " " + std::to_string(lock.id) : " `" + lock.name + "`");
}

}  // namespace

TaskTree task_tree(const Process& process, TaskId first, TaskId second) {
  TaskTree tree{path_to_root(process, first), path_to_root(process, second), std::nullopt};
  for (std::size_t i = 0; i < tree.first.size(); ++i) {
    const auto met = std::find(tree.second.begin(), tree.second.end(), tree.first[i]);
    if (met == tree.second.end()) continue;
    tree.common = tree.first[i];
    tree.first.resize(i);
    tree.second.erase(met, tree.second.end());
    break;
  }
  return tree;
}

std::string ordering_sentence(const TaskTree& tree, const Process& process, const Access& first,
                              const Access& second) {
  if (tree.common && tree.first.empty() && tree.second.empty())
    return "both accesses are made by " + task(*tree.common) +
           ", in parts of it that no barrier, wait or dependence orders";
  const auto in_one_loop = [&](const std::vector<TaskId>& below) {
    const auto creator = process.tasks.find(*tree.common), child = process.tasks.find(below.back());
    if (creator == process.tasks.end() || child == process.tasks.end()) return false;
    const model::TaskWords* words = model::find_task(child->second.kind);
    return words && model::words_of(words->family).splits && creator->second.kind == child->second.kind &&
           creator->second.created == child->second.created;
  };
  if (tree.common && tree.first.empty() != tree.second.empty())
    if (const auto& below = tree.first.empty() ? tree.second : tree.first; in_one_loop(below))
      return sibling_sentence(process.tasks.at(*tree.common), process.tasks.at(below.back()));
  if (tree.common && tree.first.empty()) return creator_sentence(process, *tree.common, tree.second, first);
  if (tree.common && tree.second.empty()) return creator_sentence(process, *tree.common, tree.first, second);
  const auto a = constructs_meeting(process, tree.first), b = constructs_meeting(process, tree.second);
  if (a == process.tasks.end() || b == process.tasks.end()) return kNothingOrders;
  return sibling_sentence(a->second, b->second);
}

std::string protection_hint(const Access& first, const Access& second, Evidence evidence) {
  if (first.atomic != second.atomic)
    return std::string("the ") + (first.atomic ? "first" : "second") +
           " access is atomic and the other is not; both must be";
  const auto shared = std::find_if(first.locks.begin(), first.locks.end(), [&](const Lock& lock) {
    return std::any_of(second.locks.begin(), second.locks.end(),
                       [&](const Lock& other) { return other.id == lock.id; });
  });
  if (shared != first.locks.end())
    return "both hold " + lock_words(*shared) + ", but not in a mode that excludes the other";
  if (!first.locks.empty() && !second.locks.empty())
    return "they hold different locks: " + lock_words(first.locks.front()) + " and " +
           lock_words(second.locks.front());
  if (!first.locks.empty() || !second.locks.empty()) {
    const bool is_first = !first.locks.empty();
    return std::string("only the ") + (is_first ? "first" : "second") + " access holds a lock, " +
           lock_words((is_first ? first : second).locks.front());
  }
  if (evidence == Evidence::Predicted)
    return "in this run critical sections ordered them, or a taskwait of the thread that got the work which "
           "created the task; another run may order them otherwise";
  return "";
}

std::string ownership_hint(const std::string& unless) {
  if (unless == "by number")
    return "one thread ran both, and both know its number: no race if that is how each thread gets to "
           "memory of its own";
  if (unless == "by name")
    return "one thread ran both, and both name its thread-local data: no race if they reach this only "
           "through it";
  if (unless == "private block")
    return "one thread ran both, and allocated the block inside the region: no race if each thread has a "
           "block of its own";
  return "";
}

}  // namespace heddle::report
