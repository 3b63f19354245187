#include "report/ordering.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

// 1 initial thread - 2, 3 implicit tasks - 4, 5 explicit tasks of 2 - 6 explicit task of 4
Process sample() {
  Process process;
  const auto add = [&](TaskId id, const char* kind, TaskId parent) {
    process.tasks[id] = {id, kind, parent, 0, {}};
  };
  add(1, "initial thread", 0);
  add(2, "implicit task", 1);
  add(3, "implicit task", 1);
  add(4, "explicit task", 2);
  add(5, "explicit task", 2);
  add(6, "explicit task", 4);
  add(7, "thread", 1);
  add(8, "thread", 1);
  add(9, "loop chunk", 2);
  add(10, "loop chunk", 3);
  return process;
}

Access access_at(const char* file, int line, TaskId task) {
  Access access;
  access.op = "write";
  access.task = task;
  Frame frame;
  frame.file = file;
  frame.line = line;
  access.stack.frames.push_back(frame);
  return access;
}

std::string sentence(TaskId a, TaskId b) {
  const Process process = sample();
  return ordering_sentence(task_tree(process, a, b), process, access_at("a.cpp", 10, a),
                           access_at("a.cpp", 20, b));
}

TEST(TaskTree, EndsBelowTheNearestCommonAncestor) {
  const TaskTree tree = task_tree(sample(), 6, 5);
  EXPECT_EQ(tree.first, (std::vector<TaskId>{6, 4}));
  EXPECT_EQ(tree.second, (std::vector<TaskId>{5}));
  EXPECT_EQ(tree.common, 2u);
}

TEST(TaskTree, SurvivesUnknownAndCyclicTasks) {
  EXPECT_FALSE(task_tree(sample(), 5, 99).common);
  Process process;
  process.tasks[1] = {1, "explicit task", 2, 0, {}};
  process.tasks[2] = {2, "explicit task", 1, 0, {}};
  EXPECT_TRUE(task_tree(process, 1, 2).common);
}

TEST(Ordering, SaysUnderWhichConditionItIsNoRace) {
  for (const char* unless : {"by number", "by name", "private block"})
    EXPECT_NE(ownership_hint(unless).find("no race if"), std::string::npos) << unless;
  EXPECT_EQ(ownership_hint("something else"), "");
}

TEST(Ordering, SiblingTasks) {
  EXPECT_EQ(sentence(4, 5), "no taskwait, taskgroup end, barrier or dependence orders these two tasks");
}

TEST(Ordering, ATaskAndItsCreator) {
  EXPECT_EQ(sentence(2, 4),
            "task 2 continues after creating task 4; a taskwait before a.cpp:10 would order them");
  EXPECT_EQ(sentence(4, 2),
            "task 2 continues after creating task 4; a taskwait before a.cpp:20 would order them");
}

TEST(Ordering, ATaskwaitDoesNotReachGrandchildren) {
  EXPECT_NE(sentence(2, 6).find("taskgroup around the creation before a.cpp:10"), std::string::npos)
      << sentence(2, 6);
}

TEST(Ordering, ThreadsAndTheirCreator) {
  EXPECT_NE(sentence(7, 8).find("no join"), std::string::npos);
  EXPECT_NE(sentence(1, 7).find("pthread_join"), std::string::npos);
}

TEST(Ordering, TeamMembersAndTheirTasks) {
  EXPECT_NE(sentence(2, 3).find("no barrier of the team"), std::string::npos);
  EXPECT_NE(sentence(4, 3).find("no barrier of the team"), std::string::npos);
}

TEST(Ordering, ChunksOfOneLoop) {
  EXPECT_NE(sentence(9, 10).find("iterations of one worksharing loop"), std::string::npos) << sentence(9, 10);
  EXPECT_NE(sentence(9, 3).find("the loop chunk from the implicit task"), std::string::npos)
      << sentence(9, 3);
}

TEST(ProtectionHint, SpeaksOfLocksAndAtomics) {
  Access a = access_at("a.cpp", 1, 4), b = access_at("a.cpp", 2, 5);
  EXPECT_EQ(protection_hint(a, b, Evidence::Certain), "");
  EXPECT_NE(protection_hint(a, b, Evidence::Predicted), "");
  a.locks = {{1, "mutex", "write", 0, "m"}};
  EXPECT_EQ(protection_hint(a, b, Evidence::Certain), "only the first access holds a lock, mutex `m`");
  b.locks = {{2, "mutex", "write", 0, ""}};
  EXPECT_EQ(protection_hint(a, b, Evidence::Certain), "they hold different locks: mutex `m` and mutex 2");
  b.locks = {{1, "mutex", "read", 0, "m"}};
  EXPECT_NE(protection_hint(a, b, Evidence::Certain).find("not in a mode"), std::string::npos);
  b.atomic = true;
  EXPECT_NE(protection_hint(a, b, Evidence::Certain).find("second access is atomic"), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
