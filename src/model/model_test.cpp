#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/kinds.hpp"
#include "model/libraries.hpp"
#include "model/words.hpp"

namespace heddle::model {
namespace {

constexpr const char* kTaskNames[] = {
#define HEDDLE_TASK(kind, text, ...) text,
#include "model/models.inc"
};

constexpr const char* kLockNames[] = {
#define HEDDLE_LOCK(kind, text) text,
#include "model/models.inc"
};

// The raw log names kinds by their words, so two kinds of one name would be indistinguishable.
TEST(Models, NamesAreDistinct) {
  EXPECT_EQ(std::set<std::string>(std::begin(kTaskNames), std::end(kTaskNames)).size(),
            std::size(kTaskNames));
  EXPECT_EQ(std::set<std::string>(std::begin(kLockNames), std::end(kLockNames)).size(),
            std::size(kLockNames));
}

TEST(Models, WhatTheProgramWritesTheToolFinds) {
  for (const char* name : kTaskNames) {
    ASSERT_NE(find_task(name), nullptr) << name;
    EXPECT_EQ(find_task(name)->name, name);
  }
  EXPECT_EQ(find_task("task"), nullptr);
  EXPECT_EQ(find_task(heddle::name(TaskKind::kTbbFor))->family, Family::kTbb);
  EXPECT_TRUE(is_of("explicit task", Family::kOpenMpTask));
  EXPECT_FALSE(is_of("implicit task", Family::kOpenMpTask));
}

// Only the initial thread has no creator.
TEST(Models, EveryTaskSaysWhatJoinsIt) {
  for (const char* name : kTaskNames)
    EXPECT_EQ(find_task(name)->joined_by == nullptr, std::string(name) == "initial thread") << name;
}

TEST(Models, NoPrefixIsEmpty) {
  for (const char* library : kLibraries) EXPECT_NE(std::string(library), "");
  for (const auto list : {frames(), functions(), headers()})
    for (const std::string_view prefix : list) EXPECT_NE(prefix, "");
}

}  // namespace
}  // namespace heddle::model
