#include "settings/options.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

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
  const std::string path = std::filesystem::temp_directory_path() / "heddle_settings_test";
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

TEST(Options, NamesAreUniqueAndInTheHelp) {
  std::set<std::string_view> names;
  const std::string help = options_help(Consumer::Tool) + options_help(Consumer::Runtime);
  for (const OptionSpec& option : option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_NE(help.find("--" + std::string(option.name)), std::string::npos);
  }
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
