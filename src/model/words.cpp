#include "model/words.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::model {
namespace {

constexpr FamilyWords kFamilies[] = {
#define HEDDLE_FAMILY(family, ...) FamilyWords{__VA_ARGS__},
#include "model/models.inc"
};

constexpr TaskWords kTasks[] = {
#define HEDDLE_TASK(kind, text, of, ...) TaskWords{.name = text, .family = Family::of, __VA_ARGS__},
#include "model/models.inc"
};

constexpr std::string_view kFrames[] = {
#define HEDDLE_FRAME(prefix) prefix,
#include "model/models.inc"
};

constexpr std::string_view kFunctions[] = {
#define HEDDLE_FUNCTION(prefix) prefix,
#include "model/models.inc"
};

constexpr std::string_view kHeaders[] = {
#define HEDDLE_HEADER(part) part,
#include "model/models.inc"
};

}  // namespace

const TaskWords* find_task(std::string_view name) {
  const auto found = std::find_if(std::begin(kTasks), std::end(kTasks),
                                  [&](const TaskWords& task) { return task.name == name; });
  return found == std::end(kTasks) ? nullptr : found;
}

const FamilyWords& words_of(Family family) { return kFamilies[static_cast<unsigned>(family)]; }

bool is_of(std::string_view task_name, Family family) {
  const TaskWords* task = find_task(task_name);
  return task && task->family == family;
}

std::span<const std::string_view> frames() { return kFrames; }
std::span<const std::string_view> functions() { return kFunctions; }
std::span<const std::string_view> headers() { return kHeaders; }

}  // namespace heddle::model
