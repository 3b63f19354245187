#include "report/ordering.hpp"

#include <algorithm>

#include "report/stacks.hpp"

namespace heddle::report {
namespace {

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

// One task is an ancestor of the other: it went on while its descendant ran.
std::string creator_sentence(const Process& process, TaskId creator, const std::vector<TaskId>& below,
                             const Access& creators_access) {
  const TaskId child = below.back();
  const std::string kind = kind_of(process, child);
  std::string text = task(creator) + " continues after creating " + task(child);
  const std::string before = " before " + place(creators_access) + " would order them";
  if (kind == "thread") return text + "; a join (pthread_join, std::thread::join)" + before;
  if (kind == "future task") return text + "; its get(), or the end of a finish" + before;
  if (kind == "posted task") return text + "; an await of its region" + before;
  if (kind == "task run") return text + "; a wait() of its task group" + before;
  if (kind == "task of a flow graph") return text + "; a wait_for_all() of its graph" + before;
  if (kind == "task enqueued")
    return text +
           ", for which nobody waits; something that the task itself does at its end, and that is awaited" +
           before;
  if (is_tbb(kind)) return text + "; the end of the algorithm that it is part of" + before;
  if (is_async(kind)) return text + "; the end of a finish around it" + before;
  if (!is_task_body(kind)) return text + "; a barrier or the end of the construct" + before;
  if (below.size() == 1) return text + "; a taskwait" + before;
  return text + ", whose descendant " + task(below.front()) +
         " makes the other access; a taskwait waits for children only, so the end of a taskgroup around the "
         "creation" +
         before;
}

std::string sibling_sentence(const RawTask& a, const RawTask& b) {
  const auto both = [&](std::string_view kind) { return a.kind == kind && b.kind == kind; };
  const bool same_construct = a.created == b.created;
  if (is_tbb(a.kind) && a.kind == b.kind && same_construct && a.kind.find("parallel_") != std::string::npos)
    return "the parts of one " + a.kind.substr(a.kind.find("parallel_")) +
           " may run in any order, and nothing orders these two";
  if (both("thread"))
    return "no join, lock hand-over or release/acquire pair of atomics orders the two threads";
  if (a.kind == "thread" || b.kind == "thread" || (both("initial thread")))
    return "no join, lock hand-over or release/acquire pair of atomics orders the two";
  if (is_async(a.kind) && a.kind == b.kind && same_construct && a.kind.find("iteration") != std::string::npos)
    return "tasks of one loop may run in any order, and nothing orders two of them";
  if (is_tbb(a.kind) && is_tbb(b.kind))
    return "no wait() of a task group, end of an algorithm or edge of a flow graph orders these two tasks";
  if (is_tbb(a.kind) || is_tbb(b.kind))
    return "nothing waits for the " + (is_tbb(a.kind) ? a.kind : b.kind) +
           " before the other access, or the other way round";
  if (is_async(a.kind) && is_async(b.kind))
    return "no end of a finish, get() of a future or await of a region orders these two tasks";
  if (both("taskloop task") && same_construct)
    return "both are tasks of one taskloop, which may run in any order; nothing orders them before the "
           "taskloop ends";
  if (is_task_body(a.kind) && is_task_body(b.kind))
    return "no taskwait, taskgroup end, barrier or dependence orders these two tasks";
  if (both("loop chunk"))
    return same_construct
               ? "iterations of one worksharing loop may run at the same time; nothing orders two of its "
                 "chunks"
               : "no barrier separates the two worksharing loops (nowait), so their chunks may run at the "
                 "same time";
  if (both("section"))
    return "sections of a sections construct may run at the same time, and no barrier separates these two";
  if (both("implicit task"))
    return "no barrier of the team separates the two accesses, so its threads may make them at the same time";
  if (is_task_body(a.kind) || is_task_body(b.kind))
    return "an explicit task may run at any time until something waits for it: no taskwait, taskgroup end, "
           "dependence or "
           "barrier orders it with the " +
           (is_task_body(a.kind) ? b.kind : a.kind);
  return "no barrier of the team separates the " + a.kind + " from the " + b.kind;
}

// The task of one side at which the two sides part: the child of the common ancestor. For members of a team
// it is more telling to name the share of work that the member was doing.
auto constructs_meeting(const Process& process, const std::vector<TaskId>& side) {
  if (side.empty()) return process.tasks.end();
  const auto child = process.tasks.find(side.back());
  if (child == process.tasks.end() || child->second.kind != "implicit task" || side.size() < 2) return child;
  const auto below = process.tasks.find(side[side.size() - 2]);
  const bool share = below != process.tasks.end() && !is_task_body(below->second.kind);
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
  // The tasks of a loop of oneTBB make each other.
  const auto in_one_loop = [&](const std::vector<TaskId>& below) {
    const auto creator = process.tasks.find(*tree.common), child = process.tasks.find(below.back());
    return creator != process.tasks.end() && child != process.tasks.end() && is_tbb(child->second.kind) &&
           creator->second.kind == child->second.kind && creator->second.created == child->second.created;
  };
  if (tree.common && tree.first.empty() != tree.second.empty())
    if (const auto& below = tree.first.empty() ? tree.second : tree.first; in_one_loop(below))
      return sibling_sentence(process.tasks.at(*tree.common), process.tasks.at(below.back()));
  if (tree.common && tree.first.empty()) return creator_sentence(process, *tree.common, tree.second, first);
  if (tree.common && tree.second.empty()) return creator_sentence(process, *tree.common, tree.first, second);
  const auto a = constructs_meeting(process, tree.first), b = constructs_meeting(process, tree.second);
  if (a == process.tasks.end() || b == process.tasks.end())
    return "nothing in the program's structure orders the two";
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
    return "in this run the order of the critical sections kept them apart; another run may order them "
           "otherwise";
  return "";
}

std::string ownership_hint(const std::string& unless) {
  if (unless == "by number")
    return "one thread ran both, and both know its number: no race if that is how each thread comes to "
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
