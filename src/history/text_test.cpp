#include "history/text.hpp"

#include <gtest/gtest.h>

#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::history {
namespace {

struct ReadText {
  event::History history;
  std::string problem;
};

ReadText read(const std::string& text) {
  TextSource source(memory_input({reinterpret_cast<const u8*>(text.data()), text.size()}));
  ReadText result{read_all(source), {}};
  result.problem = source.problem();
  return result;
}

TEST(Text, ComesBackAsItWas) {
  for (event::Model model : event::kModels)
    for (u64 number = 1; number <= 300; ++number) {
      event::History history = event::numbered_run(model, number).history;
      std::string text;
      for (const event::Event& event : history) text += to_text(event);
      ReadText back = read(text);
      ASSERT_EQ(back.problem, "");
      ASSERT_EQ(as_code(back.history), as_code(history)) << text;
    }
}

TEST(Text, IsForPeople) {
  ReadText read_text = read(
      "# two tasks\n"
      "0 spawn 1 thread\r\n"
      "\n"
      "  0 spawn 2 undeferred depend in 0x10 depend all   # clauses\n"
      "1 begin 3\n"
      "1 write 0x1000 4 atomic bound site 7\n"
      "1 new-memory 64 16\n"
      "1 acquire 0 read");
  EXPECT_EQ(read_text.problem, "");
  EXPECT_EQ(as_code(read_text.history),
            "History history = {\n"
            "    Spawn{0, 1, SpawnKind::kThread},\n"
            "    Spawn{0, 2, SpawnKind::kUndeferred, {{16, DependKind::kIn}, {0, DependKind::kAllMemory}}},\n"
            "    Begin{1, 3},\n"
            "    Access{1, 0x1000, 4, true, true, 7, true},\n"
            "    NewMemory{1, 0x40, 16},\n"
            "    Acquire{1, 0, false},\n};\n");
}

TEST(Text, MistakesAreNamedByLine) {
  auto problem_of = [](const std::string& line) { return read("0 bind\n" + line + "\n0 bind\n").problem; };
  EXPECT_EQ(problem_of("0 sing"), "line 2: unknown event 'sing'");
  EXPECT_EQ(problem_of("zero bind"), "line 2: 'zero' is not a number of 32 bits");
  EXPECT_EQ(problem_of("0 acquire"), "line 2: the line ends too early");
  EXPECT_EQ(problem_of("0 acquire 1 write"), "line 2: 'write' is too much");
  EXPECT_EQ(problem_of("0 read 0x10 0"), "line 2: there are no such bytes");
  EXPECT_EQ(problem_of("0 read 0xffffffffffffffff 8"), "line 2: there are no such bytes");
  EXPECT_EQ(problem_of("0 read 0x 8"), "line 2: '0x' is not a number");
  EXPECT_EQ(problem_of("0 spawn 5000000000"), "line 2: '5000000000' is not a number of 32 bits");
  EXPECT_EQ(problem_of("0 spawn 1 depend on 4"), "line 2: unknown dependence 'on'");
  EXPECT_EQ(problem_of("0 spawn 4000000000"),
            "line 2: numbers of tasks, locks and so on must be dense; this one is too large");
  EXPECT_EQ(read("0 bind\n0 sing\n0 bind\n").history.size(), 1u);
}

}  // namespace
}  // namespace heddle::history
