#include "wrapper/compiler_command.hpp"

#include <gtest/gtest.h>

#include "wrapper/compiler.hpp"
#include "wrapper/response_file.hpp"

namespace heddle::wrapper {
namespace {

TEST(CompilerCommand, TellsCompilingFromLinking) {
  EXPECT_TRUE(analyse({"a.cpp"}).links);
  EXPECT_TRUE(analyse({"a.cpp"}).compiles);
  EXPECT_FALSE(analyse({"-c", "a.cpp"}).links);
  EXPECT_FALSE(analyse({"a.o", "-lm", "libx.so.1"}).compiles);
  EXPECT_TRUE(analyse({"a.o"}).links);
  EXPECT_FALSE(analyse({"-c", "a.s"}).compiles);
  EXPECT_TRUE(analyse({"-x", "c", "-"}).compiles);
  EXPECT_TRUE(analyse({"-xc++", "strange.ext"}).compiles);
  for (const char* option : {"-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"})
    EXPECT_FALSE(analyse({option, "a.cpp"}).links) << option;
  EXPECT_TRUE(analyse({"-MD", "-MF", "-c", "a.cpp"}).links) << "-c is the value of -MF here";
}

TEST(CompilerCommand, LeavesQueriesAlone) {
  for (const char* option :
       {"--version", "-dumpversion", "-dumpmachine", "-print-search-dirs", "--help", "-v"})
    EXPECT_TRUE(analyse({option}).query) << option;
  EXPECT_TRUE(analyse({"-print-file-name=libc.so", "a.c"}).query);
  EXPECT_TRUE(analyse({"-o", "out"}).query) << "nothing to work on";
  EXPECT_EQ(analyse({"a.o", "-o", "out"}).output, "out");
  EXPECT_EQ(analyse({"a.o"}).output, "a.out");
  EXPECT_FALSE(analyse({"-v", "a.c"}).query);
}

TEST(CompilerCommand, FindsWhatMatters) {
  const CompilerCommand command =
      analyse({"-shared", "-fopenmp", "-g0", "-fuse-ld=lld", "-L/x", "-L", "/y", "a.o"});
  EXPECT_TRUE(command.shared);
  EXPECT_TRUE(command.openmp);
  EXPECT_TRUE(command.debug_info);
  EXPECT_EQ(command.linker, "lld");
  EXPECT_EQ(command.library_directories, (std::vector<std::string>{"/x", "/y"}));
  EXPECT_TRUE(analyse({"-static", "a.o"}).fully_static);
  EXPECT_FALSE(analyse({"-static-libgcc", "a.o"}).fully_static);
  EXPECT_FALSE(analyse({"-fopenmp-simd", "a.o"}).openmp);
  EXPECT_FALSE(analyse({"-gcc-toolchain", "/opt", "a.c"}).debug_info);
  EXPECT_EQ(analyse({"-fsanitize=undefined,address", "a.c"}).incompatible_sanitizers,
            std::vector<std::string>{"address"});
  EXPECT_TRUE(analyse({"-fsanitize=undefined", "a.c"}).incompatible_sanitizers.empty());
  EXPECT_TRUE(analyse({"-fno-sanitize=thread", "a.c"}).thread_sanitizer_off);
}

TEST(ResponseFile, SplitsAsTheCompilersDo) {
  EXPECT_EQ(split_response_text("a  'b c'\n\"d \\\" e\" f\\ g \"\""),
            (std::vector<std::string>{"a", "b c", "d \" e", "f g", ""}));
  EXPECT_TRUE(split_response_text(" \n").empty());
}

TEST(ResponseFile, KeepsWhatIsNoFile) {
  const auto expanded = expand_response_files({"@/no/such/file", "x"});
  ASSERT_TRUE(expanded);
  EXPECT_EQ(expanded->arguments, (std::vector<std::string>{"@/no/such/file", "x"}));
  EXPECT_FALSE(expanded->from_file);
}

TEST(ResponseFile, RoundTrip) {
  const std::vector<std::string> arguments{"-DX=\"a b\"", "back\\slash", "", "it's", "new\nline"};
  const auto file = to_response_file(arguments);
  ASSERT_TRUE(file);
  EXPECT_EQ(expand_response_files({*file})->arguments, arguments);
}

TEST(WrapperName, Parses) {
  EXPECT_EQ(parse_wrapper_name("heddle-clang++")->family, Family::Clang);
  EXPECT_EQ(parse_wrapper_name("heddle-clang++")->language, Language::Cxx);
  EXPECT_EQ(parse_wrapper_name("heddle-cc")->family, std::nullopt);
  EXPECT_FALSE(parse_wrapper_name("heddle"));
}

}  // namespace
}  // namespace heddle::wrapper
