#include "output/printable.hpp"

#include <gtest/gtest.h>

namespace heddle::output {
namespace {

TEST(Printable, KeepsWhatCanBeRead) {
  for (const char* text : {"", "main.cpp:12", "C:\\folder", "größe, λ, 変数, 🙂", "operator<<"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\033[31mb\007"), "a\\x1b[31mb\\x07");
  EXPECT_EQ(printable("one\ntwo\tthree\r"), "one\\ntwo\\tthree\\x0d");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
}

TEST(Printable, EscapesWhatTerminalsTakeForControlInUnicode) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{9b}31m");
  EXPECT_EQ(printable("a\u202eb\u2028"), "a\\u{202e}b\\u{2028}");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m\xff"),
            "\\x9b31m\\xff");
  EXPECT_EQ(printable("\xc0\x9b\xe2\x82"), "\\xc0\\x9b\\xe2\\x82");  // too long; cut off
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
}

TEST(Printable, KeepsLinesOfMessagesThatHaveSeveral) {
  EXPECT_EQ(printable("one\n\ttwo\033c\n", Lines::kKept), "one\n\ttwo\\x1bc\n");
}

// Whatever the input, the output has no control character.
TEST(Printable, EscapesEveryPairOfBytes) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string text = printable(std::string{static_cast<char>(a), static_cast<char>(b)});
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        ASSERT_TRUE(byte >= 0x20 && byte != 0x7f) << a << " " << b;
      }
      EXPECT_EQ(printable(text), text);
    }
}

}  // namespace
}  // namespace heddle::output
