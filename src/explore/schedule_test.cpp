#include "explore/schedule.hpp"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

Schedule sample() {
  return {"a race between\nx and y",
          "./app",
          {"4", "two words", " a line\nand \\ another"},
          {{"0", Op::kStart, ""},
           {"0.1", Op::kAcquire, "mutex 2"},
           {"0.1", Op::kGoOn, ""},
           {"0.1", Op::kGoOn, ""},
           {"0.1.10", Op::kTryAcquire, "mutex x2"},
           {"0.1.10", Op::kTryAcquire, "mutex 2", true}}};
}

TEST(Schedule, IsATextAPersonCanRead) {
  EXPECT_EQ(to_text(sample()),
            "heddle-schedule 1\n"
            "# a race between\n"
            "# x and y\n"
            "program ./app\n"
            "argument 4\n"
            "argument two words\n"
            "argument  a line\\nand \\\\ another\n"
            "0       start\n"
            "0.1     acquire      mutex 2\n"
            "0.1     go-on        x2\n"
            "0.1.10  try-acquire  mutex x2 x1\n"
            "0.1.10  try-free     mutex 2\n"
            "end\n");
}

TEST(Schedule, SurvivesTheText) {
  auto again = parse_schedule(to_text(sample()));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, sample());
}

TEST(Schedule, HasSites) {
  Schedule schedule{"", "./app", {}, {{"0.1", Op::kAccess, "site 1"}}, {"write | a.cpp | f | 1 | x = \\ y;"}};
  EXPECT_EQ(to_text(schedule),
            "heddle-schedule 1\n"
            "program ./app\n"
            "site write | a.cpp | f | 1 | x = \\\\ y;\n"
            "0.1  access       site 1\n"
            "end\n");
  auto again = parse_schedule(to_text(schedule));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, schedule);
}

TEST(Schedule, ErrorsSayWhereAndWhat) {
  auto error = [](std::string_view text) {
    auto parsed = parse_schedule(text);
    return parsed ? std::string("none") : parsed.error();
  };
  EXPECT_EQ(error(""), "the schedule is empty");
  EXPECT_EQ(error("hello\n"),
            "line 1 of the schedule: this is no schedule: it does not begin with 'heddle-schedule'");
  EXPECT_EQ(error("heddle-schedule 7\n"), "line 1 of the schedule: version '7' is not known here, only 1");
  EXPECT_EQ(error("heddle-schedule 1\nprogram a\n"), "the schedule has no last line 'end': its end was lost");
  EXPECT_EQ(error("heddle-schedule 1\nend\n"), "the schedule does not name its program");
  EXPECT_EQ(error("heddle-schedule 1\nprogram a\n1.2 start\n"),
            "line 3 of the schedule: '1.2' is no actor; actors are called 0, 0.1, 0.1.2");
  EXPECT_EQ(error("heddle-schedule 1\nprogram a\n0.1 jump\n"),
            "line 3 of the schedule: 'jump' is not what a step begins with: start, acquire, try-acquire, "
            "try-free, wait, atomic, choice, access, go-on");
  EXPECT_EQ(error("heddle-schedule 1\nprogram a\n0 start\nargument b\n"),
            "line 4 of the schedule: 'argument' must come before the steps");
  EXPECT_EQ(error("heddle-schedule 1\nprogram a\nend\n0 start\n"),
            "line 4 of the schedule: nothing may follow 'end'");
}

TEST(Schedule, DivergenceSaysWhereAndWhatWasExpected) {
  Schedule schedule = sample();
  schedule.steps.resize(2);
  ActorNames names;
  ActorNumber other = names.find_or_add({0, 1});
  ObjectNamer namer = [](const Step& step) {
    return step.object == 0 ? std::string() : "mutex " + std::to_string(step.object);
  };
  Execution execution;
  execution.steps.resize(1);
  execution.steps[0].op = Op::kStart;
  EXPECT_EQ(divergence(schedule, execution, names, namer),
            "step 1 of 2: expected 0.1 (acquire mutex 2), but the execution ended");
  Step step;
  step.actor = other;
  step.op = Op::kAcquire;
  step.object = 3;
  execution.steps.push_back(step);
  EXPECT_EQ(divergence(schedule, execution, names, namer),
            "step 1 of 2: expected 0.1 (acquire mutex 2), but it was 0.1 (acquire mutex 3)");
  execution.steps[1].object = 2;
  EXPECT_EQ(divergence(schedule, execution, names, namer), std::nullopt);
}

}  // namespace
}  // namespace heddle::explore
