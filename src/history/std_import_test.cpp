#include "history/std_import.hpp"

#include <gtest/gtest.h>

#include "event/listing.hpp"
#include "event/run_state.hpp"

namespace heddle::history {
namespace {

using namespace event;

std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

struct Imported {
  History history;
  std::string problem;
};

Imported import_text(const std::string& text) {
  StdImport source(memory_input(bytes_of(text)));
  Imported result{read_all(source), {}};
  result.problem = source.problem();
  EXPECT_TRUE(is_legal(result.history)) << listing(result.history);
  return result;
}

TEST(StdImport, ThreadsVariablesLocksAndLocations) {
  Imported imported = import_text(
      "T0|fork(T1)|12\n"
      "T1|acq(L4)|20\n"
      "T1|w(V3)|file.c:21\r\n"
      "T1|rel(L4)|22\n"
      "T0|join(T1)|13\n"
      "\n"
      "T0|r(V3)|13");
  EXPECT_EQ(imported.problem, "");
  EXPECT_EQ(as_code(imported.history),
            as_code({Spawn{0, 1, SpawnKind::kThread}, Begin{1, 1}, Spawn{1, 2, SpawnKind::kThread},
                     Begin{2, 2}, Acquire{2, 0, true}, Access{2, 8, 8, true, false, 1}, Release{2, 0, true},
                     Signal{2, 2}, End{2}, JoinThread{1, 2}, Access{1, 8, 8, false, false, 2}}));
}

TEST(StdImport, NamesAreKept) {
  std::string text = "main|w(a.b[3])|f:1\nmain|r(c)|f:2\n";
  StdImport source(memory_input(bytes_of(text)));
  History history = read_all(source);
  auto& access = std::get<Access>(history.back());
  EXPECT_EQ(source.variable(access.address), "c");
  EXPECT_EQ(source.site(access.site)->name, "f:2");
  EXPECT_EQ(source.thread(access.task), "main");
  EXPECT_EQ(source.lines(), 2u);
  EXPECT_FALSE(source.site(0));
  EXPECT_FALSE(source.site(3));
}

TEST(StdImport, LocksNestAndJoinsRepeat) {
  Imported imported = import_text(
      "A|fork(B)|1\nA|acq(m)|1\nA|acq(m)|1\nA|rel(m)|1\nA|rel(m)|1\nB|begin(x)|1\nB|end(x)|1\nA|join(B)|1\n"
      "C|join(B)|1\nB1|req(m)|1\nB1|acq(m)\n");
  EXPECT_EQ(imported.problem, "");
  u32 acquired = 0, awaited = 0;
  for (const Event& event : imported.history) {
    acquired += std::holds_alternative<Acquire>(event);
    awaited += std::holds_alternative<Await>(event);
  }
  EXPECT_EQ(acquired, 2u);
  EXPECT_EQ(awaited, 1u);
}

TEST(StdImport, MalformedLinesAreNamedByNumber) {
  auto problem_of = [](const std::string& line) {
    Imported imported = import_text("T0|w(x)|1\nT0|fork(T1)|1\nT1|acq(l)|1\nT0|fork(T2)|1\nT0|join(T2)|1\n" +
                                    line + "\nT0|w(x)|2\n");
    EXPECT_EQ(imported.history.size(), 11u) << line;  // the lines before it
    return imported.problem;
  };
  EXPECT_EQ(problem_of("nonsense"), "line 6: expected thread|operation(argument)|location");
  EXPECT_EQ(problem_of("|w(x)|3"), "line 6: expected thread|operation(argument)|location");
  EXPECT_EQ(problem_of("T0|w|3"), "line 6: 'w' needs an argument");
  EXPECT_EQ(problem_of("T0|w()|3"), "line 6: 'w' needs an argument");
  EXPECT_EQ(problem_of("T0|w(x|3"), "line 6: the operation's ')' is missing");
  EXPECT_EQ(problem_of("T0|w(|3"), "line 6: the operation's ')' is missing");
  EXPECT_EQ(problem_of("T0|write(x)|3"), "line 6: unknown operation 'write'");
  EXPECT_EQ(problem_of("T0||3"), "line 6: unknown operation ''");
  EXPECT_EQ(problem_of("T0|acq(l)|3"), "line 6: T0 acquires l, which T1 holds");
  EXPECT_EQ(problem_of("T0|rel(l)|3"), "line 6: T0 releases l, which it does not hold");
  EXPECT_EQ(problem_of("T0|fork(T1)|3"), "line 6: T0 forks T1, which is there already");
  EXPECT_EQ(problem_of("T0|join(T0)|3"), "line 6: T0 joins itself");
  EXPECT_EQ(problem_of("T0|join(T1)|3"), "line 6: T0 joins T1, which holds a lock");
  EXPECT_EQ(problem_of("T2|w(x)|3"), "line 6: T2 continues after it was joined");
}

// Lines that cross the boundaries of the buffer, and lines longer than it.
TEST(Lines, OfAnyLengthThroughAnyBuffer) {
  std::string text;
  std::vector<std::string> expected;
  for (usize size = 0; size < 40; ++size) {
    expected.push_back(std::string(size, static_cast<char>('a' + size % 26)));
    text += expected.back() + (size % 3 ? "\n" : "\r\n");
  }
  expected.push_back("the last");
  text += "the last";
  for (usize block = 1; block < 50; ++block) {
    Lines lines(memory_input(bytes_of(text)), block);
    std::string_view line;
    std::vector<std::string> seen;
    while (lines.next(line)) seen.emplace_back(line);
    ASSERT_EQ(seen, expected) << block;
    ASSERT_EQ(lines.number(), expected.size());
  }
}

TEST(Names, LikeNumbersAreToldApart) {
  Names names;
  std::vector<std::string> all = {"V",
                                  "0",
                                  "V0",
                                  "00",
                                  "V00",
                                  "07",
                                  "7",
                                  "T7",
                                  "V7",
                                  "V999999999",
                                  "V99999999",
                                  "99999999",
                                  "V1x",
                                  "\xff"
                                  "5"};
  for (u32 i = 10; i < 30000; i += 7) all.push_back("V" + std::to_string(i * 100));
  for (u32 round = 0; round < 3; ++round)
    for (u32 i = 0; i < all.size(); ++i) ASSERT_EQ(names.number(all[i]), i) << all[i];
}

TEST(Names, AreNumberedInTheOrderTheyCome) {
  Names names;
  for (u32 round = 0; round < 2; ++round)
    for (u32 i = 0; i < 5000; ++i) ASSERT_EQ(names.number("name" + std::to_string(i)), i);
  EXPECT_EQ(names.name(4999), "name4999");
  EXPECT_EQ(names.size(), 5000u);
  // Every length around the capacity of a slot, each differing in any one position.
  std::vector<std::string> all = {""};
  for (usize size = 1; size < 40; ++size)
    for (usize at = 0; at < size; ++at) {
      all.emplace_back(size, 'a');
      all.back()[at] = 'b';
    }
  for (u32 round = 0; round < 2; ++round)
    for (u32 i = 0; i < all.size(); ++i) {
      ASSERT_EQ(names.number(all[i]), 5000 + i) << all[i];
      ASSERT_EQ(names.name(5000 + i), all[i]);
    }
}

}  // namespace
}  // namespace heddle::history
