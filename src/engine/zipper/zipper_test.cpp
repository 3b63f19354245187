// Greedy order, and races that the printed rules of ZipperOTF miss.
#include "engine/zipper/zipper.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/lower.hpp"
#include "engine/oracle/oracle.hpp"
#include "engine/zipper/greedy.hpp"
#include "event/listing.hpp"
#include "event/random/campaign.hpp"

namespace heddle::engine {
namespace {

using namespace event;

event::Access write(u32 task, u64 address = 0) { return {task, address, 8, true}; }
event::Access read(u32 task, u64 address = 0) { return {task, address, 8, false}; }

std::set<u64> racy(const History& history) { return Found(*find_engine("zipper"), {}, history).racy; }

// The smallest program whose race the printed rules miss: at the second fork t1 has not run, and at the join its last
// node is compared through the parent's map, which has no entry for the parent.
TEST(Zipper, ALastNodeIsCheckedAgainstWhatIsConcurrentWithItsOwnTask) {
  EXPECT_FALSE(
      racy({Spawn{0, 1}, read(0), Spawn{0, 2}, Begin{1, 2}, write(1), End{1}, WaitChildren{0}}).empty());
}

TEST(Zipper, AChildIsConcurrentWithItsParentsLiveChildren) {
  EXPECT_FALSE(racy({Spawn{0, 1}, Begin{1, 2}, write(1), Spawn{0, 2}, Begin{2, 1}, write(2)}).empty());
}

TEST(Zipper, AJoinedTaskStaysJoinedWhenALockIsTaken) {
  // Task 2's clock did not include 1 when it released; the acquisition must not bring 1 back.
  EXPECT_TRUE(racy({Spawn{0, 1}, Begin{1, 2}, write(1), End{1}, Spawn{0, 2}, Begin{2, 3}, Acquire{2, 0},
                    Release{2, 0}, WaitChildren{0}, Acquire{0, 0}, write(0), Release{0, 0}})
                  .empty());
}

TEST(Zipper, LastIsPerLock) {
  EXPECT_FALSE(
      racy({Spawn{0, 1}, Begin{1, 2}, Acquire{1, 0}, write(1), Release{1, 0}, Acquire{0, 1}, write(0)})
          .empty());
  EXPECT_TRUE(
      racy({Spawn{0, 1}, Begin{1, 2}, Acquire{1, 0}, write(1), Release{1, 0}, Acquire{0, 0}, write(0)})
          .empty());
}

TEST(Zipper, NewMemoryIsCheckedBeforeItIsForgotten) {
  EXPECT_FALSE(racy({Spawn{0, 1}, Begin{1, 2}, write(1), write(0), NewMemory{0, 0, 8}, write(0)}).empty());
  EXPECT_TRUE(racy({Spawn{0, 1}, Begin{1, 2}, write(1), NewMemory{0, 0, 8}, write(0)}).empty());
}

// Threads that read in phases, never quiescent: their entries are bounded by bytes and threads.
usize memory_after(u32 phases) {
  std::unique_ptr<Engine> engine = find_engine("zipper")->make({});
  Rng rng(1);
  constexpr u32 kThreads = 4;
  engine->add(Fork{0, 0});
  for (u32 thread = 1; thread <= kThreads; ++thread) engine->add(TeamBegin{thread, 0, thread});
  for (u32 phase = 0; phase < phases; ++phase) {
    for (u32 thread = 1; thread <= kThreads; ++thread) {
      for (u32 i = 0; i < 3; ++i)
        engine->add(event::Access{thread, rng.below(8) * 8, 8, false, false, 1 + rng.below(4)});
      engine->add(BarrierArrive{thread, 0});
    }
    for (u32 thread = 1; thread <= kThreads; ++thread) engine->add(BarrierLeave{thread, 0});
  }
  return engine->memory_used();
}

TEST(Zipper, MemoryDoesNotGrowWithTheHistory) { EXPECT_EQ(memory_after(2000), memory_after(20000)); }

// --- greedy order

std::vector<CoreEvent> core(const History& history) {
  CoreRecorder recorder;
  Lowering lowering(recorder);
  for (const Event& event : history) lowering.add(event);
  return std::move(recorder.events);
}

TEST(Greedy, ATaskRunsUntilItMustWait) {
  auto order = greedy_order(core({Spawn{0, 1}, Begin{1, 2}, write(1, 0), write(0, 64), write(1, 0),
                                  write(0, 64), End{1}, WaitChildren{0}}));
  std::vector<u32> tasks;
  for (const CoreEvent& event : order)
    if (event.op == CoreEvent::kAccess) tasks.push_back(event.task);
  EXPECT_EQ(tasks, (std::vector<u32>{0, 0, 1, 1}));
}

TEST(Greedy, ALockIsTakenInTheOrderOfTheHistory) {
  auto order = greedy_order(
      core({Spawn{0, 1}, Begin{1, 2}, Acquire{1, 0}, Release{1, 0}, Acquire{0, 0}, Release{0, 0}}));
  std::vector<u32> tasks;
  for (const CoreEvent& event : order)
    if (event.op == CoreEvent::kAcquire) tasks.push_back(event.task);
  EXPECT_EQ(tasks, (std::vector<u32>{1, 0}));
}

// The write that each read of a word saw, by the positions of both in their tasks.
using Place = std::pair<u32, u32>;
std::map<std::pair<Place, u64>, Place> writes_of_reads(const std::vector<CoreEvent>& events) {
  std::map<u32, u32> step;
  std::map<u64, Place> last;
  std::map<std::pair<Place, u64>, Place> seen;
  for (const CoreEvent& event : events) {
    Place here{event.task, step[event.task]++};
    if (event.op != CoreEvent::kAccess) continue;
    for (u64 word = event.address / 8; word * 8 < event.address + event.size; ++word)
      if (event.write)
        last[word] = here;
      else if (last.contains(word))
        seen[{here, word}] = last[word];
  }
  return seen;
}

bool same(const CoreEvent& a, const CoreEvent& b) {
  return a.op == b.op && a.write == b.write && a.task == b.task && a.other == b.other &&
         a.address == b.address && a.size == b.size;
}

TEST(Greedy, KeepsEachTasksOrderAndEachReadsWrite) {
  for (Model model : kModels)
    for (u64 number = 1; number <= 2000; ++number) {
      std::vector<CoreEvent> before = core(numbered_run(model, number).history), after = greedy_order(before);
      ASSERT_EQ(before.size(), after.size());
      std::map<u32, std::vector<CoreEvent>> was, is;
      for (const CoreEvent& event : before) was[event.task].push_back(event);
      for (const CoreEvent& event : after) is[event.task].push_back(event);
      for (auto& [task, events] : was)
        for (usize i = 0; i < events.size(); ++i) ASSERT_TRUE(same(events[i], is[task][i]));
      ASSERT_EQ(writes_of_reads(before), writes_of_reads(after)) << name(model) << " " << number;
    }
}

}  // namespace
}  // namespace heddle::engine
