#include "history/check.hpp"

#include <gtest/gtest.h>

#include "event/random/campaign.hpp"
#include "history/statistics.hpp"

namespace heddle::history {
namespace {

using namespace event;

std::string problem_of(const History& history) {
  Checker checker;
  for (const Event& event : history)
    if (!checker.add(event)) break;
  return checker.problem();
}

TEST(Checker, AgreesWithTheRules) {
  for (Model model : kModels)
    for (u64 number = 1; number <= 100; ++number) {
      History history = numbered_run(model, number).history;
      ASSERT_EQ(problem_of(history), "");
      // Without one of its events it may be legal or not; both sides must agree.
      for (usize gone = 0; gone < history.size(); ++gone) {
        History part = history;
        part.erase(part.begin() + static_cast<long>(gone));
        ASSERT_EQ(problem_of(part).empty(), is_legal(part));
      }
    }
}

TEST(Checker, NamesTheEventAndTheReason) {
  EXPECT_EQ(problem_of({Access{1, 8, 8, true}}),
            "event 0, \"task 1 writes 8 bytes at 0x8\", may not come here: the task has not begun");
  EXPECT_EQ(problem_of({Spawn{0, 1}, Begin{1, 2}, End{1}, Bind{1}}),
            "event 3, \"task 1 asks for its thread number\", may not come here: the task has ended");
  EXPECT_EQ(problem_of({Acquire{0, 4}, Acquire{0, 4}}),
            "event 1, \"task 0 acquires lock 4 to write\", may not come here: the lock is held");
  EXPECT_EQ(problem_of({Spawn{0, 1}, WaitChildren{0}}),
            "event 1, \"task 0 waits for its children\", may not come here: a child has not ended");
  EXPECT_EQ(problem_of({Fork{0, 0}, Bind{0}}),
            "event 1, \"task 0 asks for its thread number\", may not come here: the task is suspended, or "
            "waits at a "
            "barrier");
}

TEST(Statistics, CountEachThingOnce) {
  Statistics s;
  History history = {
      Spawn{0, 1, SpawnKind::kThread}, Begin{1, 2}, Acquire{1, 3}, Release{1, 3}, Signal{1, 0}, Await{0, 0}};
  for (const Event& event : history) s.add(event);
  s.add(Access{0, 4, 8, true, false, 5});  // two granules
  s.add(Access{1, 8, 8, false, true, 5});
  s.add(NewMemory{1, 64, 640});
  EXPECT_EQ(s.events, 9u);
  EXPECT_EQ(s.reads, 1u);
  EXPECT_EQ(s.writes, 1u);
  EXPECT_EQ(s.atomic, 1u);
  EXPECT_EQ(s.granules.size(), 2u);
  EXPECT_EQ(s.sites.size(), 1u);
  EXPECT_EQ(s.tasks.size(), 2u);
  EXPECT_EQ(s.threads.size(), 1u);
  EXPECT_EQ(s.locks.size(), 1u);
  EXPECT_EQ(s.objects.size(), 1u);
  EXPECT_EQ(s.of_kind[Event(Acquire{}).index()], 1u);
  EXPECT_EQ(kind_name(Event(Acquire{}).index()), "acquire");
  EXPECT_EQ(kind_name(Event(NewMemory{}).index()), "new-memory");
  EXPECT_EQ(kind_name(Event(Join{}).index()), "join");
}

TEST(PagedSet, TellsNumbersApart) {
  PagedSet set;
  for (u32 round = 0; round < 2; ++round)
    for (u64 i = 0; i < 3000; ++i) set.add(i * 77);
  set.add(~u64{0});
  EXPECT_EQ(set.size(), 3001u);
}

}  // namespace
}  // namespace heddle::history
