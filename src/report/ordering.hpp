// Why are these two accesses unordered, and what would have ordered them? Both answers come from the tree of
// tasks: the nearest common ancestor of the two tasks is where an order would have to be made, and the kinds
// of its two children on the way down say which construct makes one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/finding.hpp"

namespace heddle::report {

struct TaskTree {
  std::vector<TaskId> first;   // from the task of the first access up to, not including, the common ancestor
  std::vector<TaskId> second;  // likewise
  std::optional<TaskId> common;
};
TaskTree task_tree(const Process&, TaskId first, TaskId second);

// One sentence, with the construct named in the terms of the programming model.
std::string ordering_sentence(const TaskTree&, const Process&, const Access& first, const Access& second);

// A second sentence, about locks and atomics; empty when there is nothing to say.
std::string protection_hint(const Access& first, const Access& second, Evidence);
// Why a race between tasks that one thread ran is only predicted: `unless` as in docs/raw-log.md.
std::string ownership_hint(const std::string& unless);

}  // namespace heddle::report
