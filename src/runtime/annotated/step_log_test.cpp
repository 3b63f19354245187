// Long steps, one after the other and in the room that others left: the log says what a plain map says.
#include "runtime/annotated/step_log.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::annotated {
namespace {

constexpr uptr kBase = uptr{1} << 32;

// Random touches of so many blocks, looked up now and then.
void expect_like_a_map(StepLog& log, u32 touches, u32 blocks, u32 seed) {
  std::mt19937 random(seed);
  std::map<uptr, u64> truth;
  std::map<uptr, u32> count;
  for (u32 i = 0; i < touches; ++i) {
    Touch touch;
    touch.block = kBase + random() % blocks * kBlockSize;
    touch.words = u64{1} << random() % 64;
    log.add(touch);
    truth[touch.block] |= touch.words;
    ++count[touch.block];
    if (random() % 16 == 0) {
      const uptr asked = kBase + random() % blocks * kBlockSize;
      ASSERT_EQ(log.touched(asked, log.size()), truth.contains(asked) ? truth[asked] : 0);
    }
  }
  for (u32 i = 0; i < blocks; ++i) {
    const uptr block = kBase + i * kBlockSize;
    ASSERT_EQ(log.touched(block, log.size()), truth.contains(block) ? truth[block] : 0);
    u32 visited = 0;
    u64 words = 0;
    log.for_each(block, [&](const Touch& touch) {
      ++visited;
      words |= touch.words;
    });
    ASSERT_EQ(visited, count[block]);
    ASSERT_EQ(words, log.known(block));
  }
}

TEST(StepLog, RemembersLongSteps) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    StepLog log;
    expect_like_a_map(log, 100 * seed, 50 * seed, seed);
    log.clear();
    EXPECT_TRUE(log.empty());
    expect_like_a_map(log, 3000, 700, seed);
  }
}

TEST(StepLog, SeveralAtOnceHaveTheirOwn) {
  StepLog first, second;
  for (u32 round = 0; round < 3; ++round) {
    expect_like_a_map(first, 2000, 300, round);
    expect_like_a_map(second, 2500, 300, round + 10);
    const u64 before = first.touched(kBase, first.size());
    second.clear();
    EXPECT_EQ(first.touched(kBase, first.size()), before);
    first.clear();
  }
}

}  // namespace
}  // namespace heddle::annotated
