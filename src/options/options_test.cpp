#include <gtest/gtest.h>

#include <set>
#include <string>

#include "options/program_options.hpp"
#include "options/table.hpp"

namespace heddle::options {
namespace {

Value value(const Type& type, const std::string& text) {
  return parse_value(type, {text.data(), text.data() + text.size()});
}
Problem problem(const Type& type, const std::string& text) { return value(type, text).problem; }

TEST(OptionValue, EveryWordOfAFlagMeansWhatItSays) {
  for (const char* off : {"0", "false", "no", "off"}) EXPECT_EQ(value(flag(), off).meaning, 0u) << off;
  for (const char* on : {"1", "true", "yes", "on"}) EXPECT_EQ(value(flag(), on).meaning, 1u) << on;
  for (const char* wrong : {"", "2", "n", "No", "f", "offf", "00", "-1"})
    EXPECT_NE(problem(flag(), wrong), Problem::kNone) << wrong;
}

TEST(OptionValue, NumbersHaveBoundsAndDoNotOverflow) {
  const Type type = number("N", 2, 4294967295);
  EXPECT_EQ(value(type, "2").meaning, 2u);
  EXPECT_EQ(value(type, "4294967295").meaning, 4294967295u);
  for (const char* wrong : {"1", "4294967296", "4294967297", "18446744073709551616", "99999999999999999999"})
    EXPECT_EQ(problem(type, wrong), Problem::kOutOfBounds) << wrong;
  for (const char* wrong : {"-5", "+5", "5x", " 5", "0x5", "5.0"})
    EXPECT_EQ(problem(type, wrong), Problem::kNotANumber) << wrong;
  EXPECT_EQ(value(number("N", 0, ~u64{0}), "18446744073709551615").meaning, ~u64{0});
}

TEST(OptionValue, SecondsHaveDecimals) {
  EXPECT_EQ(value(seconds(), "10").meaning, 10 * kMicroseconds);
  EXPECT_EQ(value(seconds(), "0.25").meaning, 250000u);
  EXPECT_EQ(value(seconds(), "0.000001").meaning, 1u);
  for (const char* wrong : {"-5", "1e3", ".", ".5", "5.", "0.0000001", "1.2.3", "nan", "inf"})
    EXPECT_EQ(problem(seconds(), wrong), Problem::kNotSeconds) << wrong;
  EXPECT_EQ(problem(seconds(), "1000000001"), Problem::kOutOfBounds);
  EXPECT_EQ(problem(seconds(), "18446744073709551616"), Problem::kOutOfBounds);
}

TEST(OptionValue, WordsAreWholeWords) {
  EXPECT_EQ(value(choice("one|two"), "two").meaning, 1u);
  EXPECT_EQ(value(choices("one|two|three"), "three,one").meaning, 5u);
  for (const char* wrong : {"tw", "twoo", "one|two", "one,two"})
    EXPECT_EQ(problem(choice("one|two"), wrong), Problem::kNotAWord) << wrong;
  for (const char* wrong : {"one,", ",one", "one,,two", ","})
    EXPECT_EQ(problem(choices("one|two"), wrong), Problem::kNotAWord) << wrong;
  EXPECT_EQ(problem(numbers("N", 1, 9), "1,2,3"), Problem::kNone);
  EXPECT_EQ(problem(numbers("N", 1, 9), "1,0"), Problem::kOutOfBounds);
}

TEST(OptionTable, NamesAreUniqueAndHelpIsThere) {
  std::set<std::string> names;
  for (const Spec& spec : kTable) {
    EXPECT_TRUE(names.insert(spec.name.text).second) << spec.name.text;
    EXPECT_NE(*spec.help, 0) << spec.name.text;
    EXPECT_NE(spec.verbs, 0u) << spec.name.text;
    EXPECT_FALSE(std::string(spec.name.text).starts_with("no-")) << spec.name.text;
  }
}

// The value that the tool accepts for an option, and its meaning.
Setting of_tool(const std::string& setting) {
  return parse_setting(kTable, kTableSize, {setting.data(), setting.data() + setting.size()});
}

u64 of_program(const ProgramOptions& program, const std::string& wanted) {
#define PROGRAM_OPTION(name, ...) \
  if (wanted == Name(#name).text) return program.name;
#include "options/program.inc"
#undef PROGRAM_OPTION
  ADD_FAILURE() << wanted;
  return 0;
}

// The program once took `races=off`, `serial=no` and `threads=4294967297` for on, on and 1.
TEST(OptionTable, TheProgramReadsWhatTheToolReads) {
  const char* values[] = {"=0",
                          "=1",
                          "=2",
                          "=66",
                          "=-5",
                          "=4294967297",
                          "=18446744073709551616",
                          "=true",
                          "=false",
                          "=yes",
                          "=no",
                          "=on",
                          "=off",
                          "=race",
                          "=",
                          "=race,deadlock",
                          "=deadlock,",
                          "=sites",
                          "=trivial",
                          "=index",
                          "=s",
                          "",
                          "=1.5"};
  usize accepted = 0, refused = 0;
  for (const Spec& spec : kTable) {
    if (!spec.to_program) continue;
    for (const std::string prefix : {"", "no-"})
      for (const char* value : values) {
        const std::string setting = prefix + spec.name.text + value;
        const Setting tool = of_tool(setting);
        ProgramOptions program;
        const bool fine = program.parse(setting.c_str());
        if (!tool.spec) {
          EXPECT_TRUE(fine) << setting;  // ignored
        } else if (tool.value.problem != Problem::kNone) {
          EXPECT_FALSE(fine) << setting;
          EXPECT_EQ(of_program(program, spec.name.text), of_program({}, spec.name.text)) << setting;
          ++refused;
        } else {
          EXPECT_TRUE(fine) << setting;
          EXPECT_EQ(of_program(program, spec.name.text), tool.value.meaning) << setting;
          ++accepted;
        }
      }
  }
  EXPECT_GT(accepted, 50u);
  EXPECT_GT(refused, 50u);
}

TEST(ProgramOptions, ReadSeveralSettings) {
  ProgramOptions options;
  EXPECT_TRUE(options.parse("no_races:memory_limit_mb='64'::report=a.json:check=\"race,deadlock\""));
  EXPECT_FALSE(options.races);
  EXPECT_EQ(options.memory_limit_mb, 64u);
  EXPECT_EQ(options.check, 5u);
  EXPECT_TRUE(options.parse(nullptr));
  EXPECT_TRUE(options.parse(""));
  EXPECT_FALSE(options.parse("threads=many:serial"));
  EXPECT_TRUE(options.serial);
  EXPECT_FALSE(options.parse(("threads=" + std::string(300, '0')).c_str()));  // longer than any real one
}

}  // namespace
}  // namespace heddle::options
