#include "settings/options.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "settings/settings.hpp"
#include "settings/suggest.hpp"

namespace heddle::settings {
namespace {

TEST(Options, HaveTheDefaultsOfTheTable) {
  const Options options;
  EXPECT_EQ(options.number("exit-code"), 66u);
  EXPECT_EQ(options.text("fail-on"), "certain");
  EXPECT_FALSE(options.flag("predicted"));
  EXPECT_EQ(options.runtime_settings(), "");
}

TEST(Options, LaterSettingsWin) {
  Options options;
  ASSERT_TRUE(options.add_environment("exit-code=1:predicted=1:report='a:b.json'"));
  ASSERT_TRUE(options.add_setting("exit-code=2", "--exit-code=2"));
  ASSERT_TRUE(options.add_setting("no-predicted", "--no-predicted"));
  EXPECT_EQ(options.number("exit-code"), 2u);
  EXPECT_FALSE(options.flag("predicted"));
  EXPECT_EQ(options.text("report"), "a:b.json");
}

TEST(Options, UnderscoresAreDashesAndAFlagAloneIsOn) {
  Options options;
  ASSERT_TRUE(options.add_setting("log_path=x", ""));
  ASSERT_TRUE(options.add_setting("quiet", ""));
  EXPECT_EQ(options.text("log-path"), "x");
  EXPECT_TRUE(options.flag("quiet"));
}

TEST(Options, RejectWithTheSourceAndASuggestion) {
  Options options;
  EXPECT_EQ(options.add_setting("predictd", "--predictd").error(),
            "--predictd: unknown option 'predictd'; did you mean 'predicted'?");
  EXPECT_EQ(options.add_environment("zzzzzz=1").error(), "HEDDLE_OPTIONS: unknown option 'zzzzzz'");
  EXPECT_FALSE(options.add_setting("exit-code=many", ""));
  EXPECT_FALSE(options.add_setting("exit-code", ""));
  EXPECT_FALSE(options.add_setting("fail-on=never", ""));
  EXPECT_FALSE(options.add_setting("quiet=perhaps", ""));
  EXPECT_FALSE(options.add_setting("no-exit-code", ""));
  EXPECT_FALSE(options.add_setting("report=", ""));
}

TEST(Options, ReadAFile) {
  const std::string path = std::filesystem::temp_directory_path() / "heddle_options_test";
  std::ofstream(path) << "# comment\n\n  predicted  \nexit-code=3\r\n";
  Options options;
  ASSERT_TRUE(options.add_file(path));
  EXPECT_TRUE(options.flag("predicted"));
  EXPECT_EQ(options.number("exit-code"), 3u);
  std::ofstream(path) << "\nbogus=1\n";
  EXPECT_EQ(options.add_file(path).error().find(path + ":2: unknown option"), 0u);
  std::filesystem::remove(path);
  EXPECT_FALSE(options.add_file(path));
}

TEST(Options, HandOnlyTheProgramsSettingsToTheProgram) {
  Options options;
  ASSERT_TRUE(options.add_environment("memory-limit-mb=64:quiet=1:stats=1"));
  EXPECT_EQ(options.runtime_settings(), "memory-limit-mb=64:stats=1");
}

TEST(Options, GiveTheProgramOneTextForOneMeaning) {
  for (const char* off : {"races=off", "races=no", "no-races", "no_races", "races=false"}) {
    Options options;
    ASSERT_TRUE(options.add_setting(off, ""));
    EXPECT_EQ(options.runtime_settings(), "races=0") << off;
  }
}

TEST(Options, RepeatedValuesAddUp) {
  Options options;
  for (const char* setting : {"finding=3,5", "finding=1", "atomic=var:a,b", "atomic=group:c,d"})
    ASSERT_TRUE(options.add_setting(setting, ""));
  EXPECT_EQ(options.numbers("finding"), (std::vector<std::uint64_t>{3, 5, 1}));
  EXPECT_EQ(options.text("atomic"), "var:a,b;group:c,d");
  EXPECT_FALSE(options.is_given("count"));
  EXPECT_EQ(options.seconds("hang-after"), 10);
}

TEST(Options, RefuseNegativeAndTooLargeNumbers) {
  Options options;
  EXPECT_EQ(options.add_setting("timeout=-5", "--timeout=-5").error(),
            "--timeout=-5: '-5' for the option 'timeout' is not a number of seconds from 0 to 1000000000");
  EXPECT_EQ(options.add_setting("threads=4294967297", "x").error(),
            "x: '4294967297' for the option 'threads' is not a number from 0 to 65535");
}

using Arguments = std::vector<std::string>;

Result<Settings> settings_of(options::Verbs verb, const Arguments& arguments) {
  const bool reads = verb == options::kHistory;
  return collect_settings(verb, reads ? "history" : "run", reads ? Operands::kFiles : Operands::kProgram,
                          arguments);
}

TEST(Settings, OptionsEndAtTheProgramButNotAtAFile) {
  const auto run = settings_of(options::kRun, {"--quiet", "./app", "--quiet=x", "--nonsense"});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->operands, (Arguments{"./app", "--quiet=x", "--nonsense"}));
  const auto history = settings_of(options::kHistory, {"run.hist", "--dump", "-"});
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->options.flag("dump"));
  EXPECT_EQ(history->operands, (Arguments{"run.hist", "-"}));
  EXPECT_EQ(settings_of(options::kRun, {"--", "--odd"})->operands, Arguments{"--odd"});
}

TEST(Settings, AVerbTakesItsOwnOptionsOnly) {
  EXPECT_EQ(settings_of(options::kRun, {"--around=1", "./app"}).error(),
            "--around=1: heddle run has no option 'around' (heddle run --help lists its options)");
  EXPECT_EQ(settings_of(options::kRecord, {"-o", "a", "./app"})->options.text("output"), "a");
  EXPECT_EQ(settings_of(options::kRecord, {"-oa", "./app"})->options.text("output"), "a");
  EXPECT_FALSE(settings_of(options::kRun, {"-o", "a", "./app"}));
  EXPECT_FALSE(settings_of(options::kRecord, {"-o"}));
}

// Any value once switched them on.
TEST(Settings, FlagsOfProveCanBeSwitchedOff) {
  const auto prove = settings_of(options::kProve, {"--keep-going=0", "--no-resume", "./app"});
  ASSERT_TRUE(prove);
  EXPECT_FALSE(prove->options.flag("keep-going"));
  EXPECT_FALSE(prove->options.flag("resume"));
}

TEST(Suggest, CountsASwapAsOneMistake) {
  EXPECT_EQ(edit_distance("report", "reprot"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(did_you_mean("rnu", {"run", "report"}), "; did you mean 'run'?");
  EXPECT_EQ(did_you_mean("pred", {"predicted"}), "; did you mean 'predicted'?");
  EXPECT_EQ(did_you_mean("banana", {"run", "report"}), "");
}

}  // namespace
}  // namespace heddle::settings
