// The program finds places in its own code.
#include "report/code_sites.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

const char* const kSelf = "/proc/self/exe";
volatile int touched = 0;

__attribute__((noinline)) void touch_one() { touched = touched + 101; }
__attribute__((noinline)) void touch_two() {
  touched = touched + 102;
  touched = touched + 103;
  touched = touched + 102;
}
inline void touch_inlined() { touched = touched + 104; }
__attribute__((noinline)) void calls_inlined() { touch_inlined(); }

CodeSite site(const std::string& function, const std::string& text, int ordinal = 1) {
  return {CodeSite::Op::kWrite, "code_sites_test.cpp", function, ordinal, text};
}

TEST(CodeSite, IsAText) {
  const CodeSite one = site("a::b", "x = y | z;", 2);
  EXPECT_EQ(to_text(one), "write | code_sites_test.cpp | a::b | 2 | x = y | z;");
  EXPECT_EQ(*parse_code_site(to_text(one)), one);
  for (const char* wrong : {"", "write", "write | a | b | c", "change | a | b | 1 | t",
                            "read | a | b | 0 | t", "read | a | b | x | t"})
    EXPECT_FALSE(parse_code_site(wrong)) << wrong;
}

TEST(CodeSite, OfALineThatAUserNames) {
  const auto place = site_of_line("dir/app.cpp:42");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, "app.cpp");
  EXPECT_EQ(place->text, ":42");
  for (const char* wrong : {"app.cpp", "app.cpp:", ":3", "app.cpp:0", "app.cpp:3x"})
    EXPECT_FALSE(site_of_line(wrong)) << wrong;
}

TEST(FindCode, ByFunctionAndText) {
  touch_one(), touch_two(), calls_inlined();
  EXPECT_TRUE(find_code(kSelf, site("touch_two", "touched = touched + 103;")));
  EXPECT_FALSE(find_code(kSelf, site("touch_one", "touched = touched + 103;")));
  EXPECT_FALSE(find_code(kSelf, site("touch_two", "touched = touched + 99;")));
}

TEST(FindCode, EqualLinesAreCounted) {
  const auto first = find_code(kSelf, site("touch_two", "touched = touched + 102;", 1));
  const auto second = find_code(kSelf, site("touch_two", "touched = touched + 102;", 2));
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_NE(first->front().begin, second->front().begin);
  EXPECT_FALSE(find_code(kSelf, site("touch_two", "touched = touched + 102;", 3)));
}

TEST(FindCode, ACallThatWasInlinedIsOfItsLine) {
  const std::string line = "__attribute__((noinline)) void calls_inlined() { touch_inlined(); }";
  EXPECT_TRUE(find_code(kSelf, site("calls_inlined", line)));
}

}  // namespace
}  // namespace heddle::report
