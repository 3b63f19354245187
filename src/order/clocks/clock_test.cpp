// Clocks against the plainest thing with the same meaning: a std::map.
#include "order/clocks/clock.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::order {
namespace {

using Plain = std::map<u32, u32>;

struct Pair {
  Clock clock;
  Plain plain;

  void raise(u32 chain, u32 value) {
    clock.raise(chain, value);
    plain[chain] = std::max(plain[chain], value);
  }
  void join(const Pair& other) {
    const Plain before = plain;
    const bool grown = clock.join(other.clock);
    for (auto [chain, value] : other.plain) plain[chain] = std::max(plain[chain], value);
    EXPECT_EQ(grown, plain != before);
  }
  void expect_equal() const {
    for (auto [chain, value] : plain) ASSERT_EQ(clock.get(chain), value) << "chain " << chain;
    for (u32 chain : {0u, 1u, 15u, 16u, 255u, 256u, 70000u, 0xffffffffu})
      ASSERT_EQ(clock.get(chain), plain.count(chain) ? plain.at(chain) : 0);
  }
};

TEST(Clock, EmptyKnowsNothing) {
  Clock clock;
  EXPECT_TRUE(clock.empty());
  EXPECT_EQ(clock.get(0), 0u);
  EXPECT_EQ(clock.get(1u << 31), 0u);
}

TEST(Clock, RaiseNeverLowers) {
  Clock clock;
  clock.raise(3, 7);
  clock.raise(3, 5);
  EXPECT_EQ(clock.get(3), 7u);
}

TEST(Clock, CopySharesAndIsNotChangedByTheOriginal) {
  Clock a;
  a.raise(1, 1);
  Clock b = a;
  EXPECT_TRUE(a.same_as(b));
  a.raise(1, 2);
  a.raise(5000, 9);
  EXPECT_EQ(b.get(1), 1u);
  EXPECT_EQ(b.get(5000), 0u);
}

TEST(Clock, JoinWithWhatIsKnownSharesTheTree) {
  Clock a, b;
  a.raise(1, 5);
  a.raise(300, 5);
  b.raise(300, 2);
  Clock before = a;
  a.join(b);
  EXPECT_TRUE(a.same_as(before));
  b.join(a);
  EXPECT_TRUE(b.same_as(a));
}

TEST(Clock, SelfAssignmentAndMoveKeepTheValue) {
  Clock a;
  a.raise(2, 4);
  Clock& same = a;
  a = same;
  EXPECT_EQ(a.get(2), 4u);
  Clock b = std::move(a);
  EXPECT_EQ(b.get(2), 4u);
  b.clear();
  EXPECT_TRUE(b.empty());
}

TEST(Clock, EqualsAMapUnderRandomOperations) {
  std::mt19937 random(1);
  // Chains near and far: clocks of few chains and trees of one to eight levels meet.
  constexpr u32 kReach[] = {4, 7, 16, 40, 300, 5000, 1u << 20, 0xfffffffe};
  for (u32 round = 0; round < 300; ++round) {
    std::vector<Pair> all(5);
    u32 reach = kReach[random() % 8];
    for (u32 step = 0; step < 120; ++step) {
      Pair& a = all[random() % all.size()];
      Pair& b = all[random() % all.size()];
      switch (random() % 8) {
        case 0:
          a = b;
          break;
        case 1:
          a.join(b);
          break;
        case 2:
          if (random() % 10 == 0) a = Pair{};
          break;
        default:
          a.raise(1 + random() % (random() % 4 ? reach : std::min(reach, 20u)), 1 + random() % 50);
      }
    }
    for (const Pair& pair : all) pair.expect_equal();
  }
}

}  // namespace
}  // namespace heddle::order
