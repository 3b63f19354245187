// How reports explain the tasks of the programming models, and which frames of a stack are not the user's.
#pragma once

#include <span>
#include <string_view>

namespace heddle::model {

enum class Family : unsigned char {
#define HEDDLE_FAMILY(family, ...) family,
#include "model/models.inc"
};

// Sentences may name the two tasks by their kinds: {first}, {second}; or the one of this family: {self}, {other}.
struct FamilyWords {
  const char* both = nullptr;        // why nothing orders two tasks of the family
  const char* with_other = nullptr;  // or one of them and a task of another family
  const char* descendants =
      nullptr;          // what orders a task with those that its children create, where joined_by does not
  bool splits = false;  // tasks of one construct make each other
  bool names_construct = false;  // reports name the line of a task's creation beside its kind
};

struct TaskWords {
  std::string_view name;
  Family family;
  const char* joined_by = nullptr;      // follows "task 1 continues after creating task 2"
  const char* one_construct = nullptr;  // why nothing orders two of this kind that one construct made
  const char* same_kind = nullptr;      // or two of this kind
};

// Null for a kind that no model has.
const TaskWords* find_task(std::string_view name);
const FamilyWords& words_of(Family family);
bool is_of(std::string_view task_name, Family family);

std::span<const std::string_view> frames();
std::span<const std::string_view> functions();
std::span<const std::string_view> headers();

}  // namespace heddle::model
