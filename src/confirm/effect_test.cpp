#include "confirm/effect.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace heddle::confirm {
namespace {

using explore::SteeredRun;
using Kind = Effect::Kind;

SteeredRun ended(int status, const std::string& output) {
  SteeredRun run;
  run.status = status;
  run.output = output;
  return run;
}
int exited(int code) { return code << 8; }

TEST(Effect, OfTheSameIsNone) { EXPECT_EQ(effect_of(ended(0, "1\n"), ended(0, "1\n"), true), Effect{}); }

TEST(Effect, NamesTheFirstLineThatDiffers) {
  const Effect effect = effect_of(ended(0, "a\n1\nz\n"), ended(0, "a\n2\nz\n"), true);
  EXPECT_EQ(effect.kind, Kind::kOutput);
  EXPECT_EQ(effect.text, "prints \"1\" instead of \"2\"");
  EXPECT_EQ(effect_of(ended(0, "a\n"), ended(0, "a\nb\n"), true).text, "does not print \"b\"");
  EXPECT_EQ(effect_of(ended(0, "a\nb\n"), ended(0, "a\n"), true).text, "prints \"b\" besides");
}

TEST(Effect, OutputThatIsNeverTheSameIsNotCompared) {
  EXPECT_EQ(effect_of(ended(0, "1"), ended(0, "2"), false).kind, Kind::kNone);
}

TEST(Effect, KnowsAssertionsFromCrashes) {
  const Effect failed =
      effect_of(ended(SIGABRT, "app: a.cpp:3: int main(): Assertion `x' failed.\n"), ended(0, ""), true);
  EXPECT_EQ(failed.kind, Kind::kAssertion);
  EXPECT_NE(failed.text.find("Assertion `x'"), std::string::npos);
  EXPECT_EQ(effect_of(ended(SIGABRT, "terminate called after throwing\n"), ended(0, ""), true).kind,
            Kind::kCrash);
  EXPECT_EQ(effect_of(ended(SIGSEGV, ""), ended(0, ""), true).kind, Kind::kCrash);
}

TEST(Effect, OfEndings) {
  EXPECT_EQ(effect_of(ended(exited(3), ""), ended(0, ""), true).text, "exit code 3");
  EXPECT_EQ(effect_of(ended(exited(3), ""), ended(exited(3), ""), true).kind, Kind::kNone);
  SteeredRun stuck;
  stuck.end = explore::End::kDeadlock;
  EXPECT_EQ(effect_of(stuck, ended(0, ""), true).kind, Kind::kDeadlock);
  stuck.end = explore::End::kTooLong;
  EXPECT_EQ(effect_of(stuck, ended(0, ""), true).kind, Kind::kEndless);
}

}  // namespace
}  // namespace heddle::confirm
