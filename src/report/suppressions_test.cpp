#include "report/suppressions.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

Stack stack(std::initializer_list<const char*> functions) {
  Stack result;
  int line = 40;
  for (const char* name : functions) {
    Frame frame;
    frame.function = name;
    frame.full_name = std::string(name) + "(int)";
    frame.linkage_name = std::string("_Z") + name;
    frame.path = "/home/user/project/src/queue.cpp";
    frame.line = ++line;
    frame.module = "libqueue.so";
    result.frames.push_back(frame);
  }
  return result;
}

bool suppressed(const std::string& rule) {
  auto rules = Suppressions::parse(rule, "file");
  const Stack first = stack({"ns::pop", "worker"}), second = stack({"ns::push", "main"});
  return rules->match(Suppressions::About::Race, {&first, &second}, {"ns::grid[3].count"});
}

TEST(Glob, MatchesWholeText) {
  EXPECT_TRUE(glob_match("a*c", "abbbc"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("a?c", "abc"));
  EXPECT_TRUE(glob_match("*ab", "aab"));
  EXPECT_FALSE(glob_match("a", "ab"));
  EXPECT_FALSE(glob_match("a?c", "ac"));
}

TEST(Suppressions, MatchFunctionsOfEitherStack) {
  EXPECT_TRUE(suppressed("race:ns::pop"));
  EXPECT_TRUE(suppressed("race:pop"));
  EXPECT_TRUE(suppressed("race:main"));
  EXPECT_TRUE(suppressed("race:*ush*"));
  EXPECT_TRUE(suppressed("race:ns::pop(int)"));
  EXPECT_FALSE(suppressed("race:op"));
}

TEST(Suppressions, MatchOneSourceLineOnly) {
  EXPECT_TRUE(suppressed("race:queue.cpp:41"));
  EXPECT_TRUE(suppressed("race:src/queue.cpp:41"));
  EXPECT_TRUE(suppressed("race:/home/user/project/src/queue.cpp:41"));
  EXPECT_FALSE(suppressed("race:queue.cpp:4"));
  EXPECT_FALSE(suppressed("race:eue.cpp:41"));
}

TEST(Suppressions, MatchFilesDirectoriesVariablesAndModules) {
  EXPECT_TRUE(suppressed("race:queue.cpp"));
  EXPECT_TRUE(suppressed("race:project/*"));
  EXPECT_TRUE(suppressed("race:grid"));
  EXPECT_TRUE(suppressed("race:ns::grid[3].count"));
  EXPECT_TRUE(suppressed("race:libqueue.so"));
  EXPECT_FALSE(suppressed("race:libqueue"));
}

TEST(Suppressions, RaceTopLooksAtTheInnermostFrameOnly) {
  EXPECT_TRUE(suppressed("race_top:push"));
  EXPECT_FALSE(suppressed("race_top:worker"));
  EXPECT_FALSE(suppressed("race_top:grid"));
}

TEST(Suppressions, TellRacesFromViolations) {
  const Stack first = stack({"read"}), between = stack({"write", "worker"}), last = stack({"read_again"});
  auto silenced = [&](const char* rule) {
    return Suppressions::parse(rule, "file")
        ->match(Suppressions::About::Violation, {&first, &between, &last}, {"grid"});
  };
  EXPECT_TRUE(silenced("atomicity:worker"));
  EXPECT_TRUE(silenced("atomicity:grid"));
  EXPECT_TRUE(silenced("atomicity_top:read_again"));
  EXPECT_FALSE(silenced("atomicity_top:worker"));
  EXPECT_FALSE(silenced("race:worker"));
  EXPECT_FALSE(suppressed("atomicity:ns::pop"));
}

TEST(Suppressions, OfADeadlockNameAnyStackOrLock) {
  const Stack wants = stack({"lock", "transfer"}), holds = stack({"lock", "audit"});
  auto silenced = [&](const char* rule) {
    return Suppressions::parse(rule, "file")
        ->match(Suppressions::About::Deadlock, {&wants, &holds}, {"a", "bank::b"});
  };
  EXPECT_TRUE(silenced("deadlock:audit"));
  EXPECT_TRUE(silenced("deadlock:b"));
  EXPECT_FALSE(silenced("deadlock_top:audit"));
  EXPECT_FALSE(silenced("race:audit"));
  EXPECT_FALSE(silenced("deadlock:c"));
}

TEST(Suppressions, SkipCommentsAndListUnusedRules) {
  auto rules = Suppressions::parse("# known\n\n  race:pop  \nrace:nothing\n", "known.txt");
  ASSERT_TRUE(rules);
  const Stack first = stack({"pop"}), second = stack({"push"});
  EXPECT_TRUE(rules->match(Suppressions::About::Race, {&first, &second}, {}));
  const auto unused = rules->unused();
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(unused[0].text, "race:nothing");
  EXPECT_EQ(unused[0].where, "known.txt:4");
}

TEST(Suppressions, RejectWhatIsNoRule) {
  EXPECT_NE(Suppressions::parse("livelock:x", "f").error().find("f:1"), std::string::npos);
  EXPECT_FALSE(Suppressions::parse("race:", "f"));
  EXPECT_FALSE(Suppressions::parse("just words", "f"));
  EXPECT_FALSE(Suppressions::load("/no/such/file"));
}

}  // namespace
}  // namespace heddle::report
