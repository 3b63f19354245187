// The wrapper as a function; tests/tool/wrapper_test.sh runs it with the real compilers.
#include "wrapper/instrument.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace heddle::wrapper {
namespace {

using Words = std::vector<std::string>;

class Instrument : public testing::Test {
 protected:
  Instrument() {
    layout_.library =
        std::filesystem::temp_directory_path() / ("heddle_instrument_" + std::to_string(getpid()));
    std::filesystem::create_directories(layout_.library);
    std::ofstream(layout_.archive()) << "";
    std::ofstream(layout_.shared_object()) << "";
  }
  ~Instrument() override { std::filesystem::remove_all(layout_.library); }

  Words words(Family family, const Words& arguments, bool shared = false) {
    auto result = instrumented(family, arguments, layout_, {shared, "12.2.0"});
    EXPECT_TRUE(result) << result.error();
    return result ? *result : Words{};
  }
  std::string error(const Words& arguments) {
    const auto result = instrumented(Family::Gcc, arguments, layout_, {});
    return result ? "" : result.error();
  }
  static bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  launch::Layout layout_;
};

TEST_F(Instrument, GccGetsOurPartsThroughB) {
  const Words result = words(Family::Gcc, {"a.cpp", "-o", "a"});
  EXPECT_TRUE(has(result, "-fsanitize=thread"));
  EXPECT_TRUE(has(result, "-B" + (layout_.library / "gcc").string()));
  EXPECT_TRUE(has(result, "-static-libtsan"));
  EXPECT_TRUE(has(result, "-g"));
  EXPECT_TRUE(has(result, "-DHEDDLE=1"));
  EXPECT_TRUE(has(result, "-Wl,--export-dynamic-symbol=__tsan_*"));
}

TEST_F(Instrument, EachCompilerGetsThePluginOfItsVersion) {
  struct {
    Family family, another;
    const char *name, *option;
  } const kCompilers[] = {{Family::Gcc, Family::Clang, "gcc", "-fplugin="},
                          {Family::Clang, Family::Gcc, "clang", "-fpass-plugin="}};
  for (const auto& compiler : kCompilers) {
    const auto plugin = layout_.plugin(compiler.name, "12.2.0");
    const std::string word = compiler.option + plugin.string();
    EXPECT_FALSE(has(words(compiler.family, {"-c", "a.c"}), word)) << "there is none";
    std::filesystem::create_directories(plugin.parent_path());
    std::ofstream(plugin) << "";
    EXPECT_TRUE(has(words(compiler.family, {"-c", "a.c"}), word));
    EXPECT_FALSE(has(words(compiler.family, {"a.o"}), word));
    EXPECT_FALSE(has(words(compiler.another, {"-c", "a.c"}), word));
    const auto other = instrumented(compiler.family, {"-c", "a.c"}, layout_, {false, "13.1.0"});
    EXPECT_FALSE(has(*other, word));
  }
}

TEST_F(Instrument, OneTbbTellsOfItself) {
  const std::filesystem::path source = layout_.library / "loop.cpp", header = layout_.library / "loop.hpp";
  std::ofstream(header) << "#include <tbb/parallel_for.h>\n";
  std::ofstream(source) << "#include \"loop.hpp\"\n";
  const Words result = words(Family::Gcc, {"-c", source.string()});
  EXPECT_TRUE(has(result, "-DTBB_USE_PROFILING_TOOLS=2"));
  EXPECT_TRUE(has(result, "-fno-move-loop-stores"));
  EXPECT_FALSE(has(words(Family::Clang, {"-c", source.string()}), "-fno-move-loop-stores"));
  EXPECT_FALSE(has(words(Family::Gcc, {"-c", "other.cpp"}), "-fno-move-loop-stores"));
  EXPECT_TRUE(has(words(Family::Clang, {"-c", source.string()}), "-licm-mssa-optimization-cap=0"));
}

TEST_F(Instrument, ClangsDriverDoesNotLearnOfTheSanitizer) {
  const Words result = words(Family::Clang, {"-fsanitize=thread,undefined", "-fopenmp", "a.cpp"});
  const auto flag = std::find(result.begin(), result.end(), "-fsanitize=thread");
  ASSERT_NE(flag, result.end());
  EXPECT_EQ(*(flag - 1), "-Xclang");
  EXPECT_TRUE(has(result, "-fsanitize=undefined"));
  EXPECT_TRUE(has(result, "-fopenmp=libomp"));
  EXPECT_TRUE(has(result, layout_.archive().string()));
}

TEST_F(Instrument, CompilationsDoNotLink) {
  for (const Family family : {Family::Gcc, Family::Clang}) {
    const Words result = words(family, {"-c", "a.cpp"});
    EXPECT_FALSE(has(result, layout_.archive().string()));
    EXPECT_TRUE(
        std::none_of(result.begin(), result.end(), [](auto& word) { return word.starts_with("-Wl,"); }));
  }
}

TEST_F(Instrument, SharedObjectsLeaveTheHooksToTheExecutable) {
  const Words arguments{"-shared",
                        "-Wl,-z,defs,--as-needed",
                        "-z",
                        "defs",
                        "-Xlinker",
                        "--no-undefined",
                        "-Xlinker",
                        "-z",
                        "-Xlinker",
                        "defs",
                        "-Wl,--no-undefined",
                        "a.o"};
  const Words result = words(Family::Clang, arguments);
  EXPECT_EQ(result, (Words{"-shared", "-Wl,--as-needed", "a.o"}));
  const Words with_library = words(Family::Clang, arguments, true);
  EXPECT_TRUE(has(with_library, "-lheddle"));
  EXPECT_TRUE(has(with_library, "-Wl,-z,defs,--as-needed"));
}

TEST_F(Instrument, ExchangesLibgomp) {
  const Words with_openmp = words(Family::Gcc, {"-fopenmp", "a.o", "-lgomp", "/usr/lib/libgomp.so.1"});
  EXPECT_FALSE(has(with_openmp, "-lgomp"));
  EXPECT_FALSE(has(with_openmp, "/usr/lib/libgomp.so.1"));
  EXPECT_TRUE(has(words(Family::Gcc, {"a.o", "-l", "gomp"}), "-lomp"));
}

TEST_F(Instrument, RespectsTheUser) {
  EXPECT_FALSE(has(words(Family::Gcc, {"-g1", "-c", "a.c"}), "-g"));
  EXPECT_FALSE(has(words(Family::Gcc, {"-fomit-frame-pointer", "-c", "a.c"}), "-fno-omit-frame-pointer"));
  EXPECT_FALSE(has(words(Family::Clang, {"-fno-sanitize=thread", "-c", "a.c"}), "-Xclang"));
  EXPECT_EQ(words(Family::Gcc, {"--version"}), Words{"--version"});
}

TEST_F(Instrument, GoldHasNoPatterns) {
  const Words result = words(Family::Gcc, {"-fuse-ld=gold", "a.o"});
  EXPECT_TRUE(has(result, "-rdynamic"));
  EXPECT_FALSE(has(result, "-Wl,--export-dynamic-symbol=__tsan_*"));
}

TEST_F(Instrument, RefusesWhatCannotWork) {
  EXPECT_NE(error({"-static", "a.c"}).find("-static"), std::string::npos);
  EXPECT_NE(error({"-fsanitize=memory", "-c", "a.c"}).find("memory cannot be combined"), std::string::npos);
  EXPECT_NE(error({"-fopenmp=libgomp", "a.o"}).find("libomp"), std::string::npos);
  EXPECT_EQ(error({"-static", "-c", "a.c"}), "");
  std::filesystem::remove(layout_.archive());
  EXPECT_NE(error({"a.c"}).find("runtime is missing"), std::string::npos);
  EXPECT_EQ(error({"-shared", "a.o"}), "");
}

}  // namespace
}  // namespace heddle::wrapper
