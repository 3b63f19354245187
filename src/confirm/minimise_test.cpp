#include "confirm/minimise.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heddle::confirm {
namespace {

Choices choices(const std::vector<u32>& actors) {
  Choices result;
  for (u32 actor : actors) result.push_back({actor, explore::Op::kChoice, 0, 0});
  return result;
}

std::vector<u32> actors(const Choices& choices) {
  std::vector<u32> result;
  for (const explore::Choice& choice : choices) result.push_back(choice.actor);
  return result;
}

u32 count(const Choices& all, u32 actor) {
  u32 result = 0;
  for (const explore::Choice& choice : all) result += choice.actor == actor;
  return result;
}

TEST(Switches, AreBetweenBlocks) {
  EXPECT_EQ(switches({}), 0u);
  EXPECT_EQ(switches(choices({1, 1, 1})), 0u);
  EXPECT_EQ(switches(choices({1, 2, 2, 1})), 2u);
}

TEST(Minimise, LeavesOutWhoIsNotNeeded) {
  auto shows = [](const Choices& all) { return count(all, 1) >= 2 && count(all, 2) >= 1; };
  const Choices result = minimise(choices({3, 1, 3, 2, 1, 3, 2}), shows, 1000);
  EXPECT_EQ(count(result, 3), 0u);
  EXPECT_EQ(switches(result), 1u);
}

TEST(Minimise, KeepsAnOrderThatIsNeeded) {
  // 1 must run once, then 2, then 1 again.
  auto shows = [](const Choices& all) {
    u32 state = 0;
    for (const explore::Choice& choice : all) state += choice.actor == (state == 1 ? 2u : 1u) ? 1 : 0;
    return state >= 3;
  };
  EXPECT_EQ(switches(minimise(choices({2, 1, 2, 1, 2, 1, 2}), shows, 1000)), 2u);
}

TEST(Minimise, StopsWhenItMayNotAskMore) {
  u32 asked = 0;
  auto shows = [&](const Choices&) { return ++asked, true; };
  minimise(choices({1, 2, 1, 2, 1, 2}), shows, 2);
  EXPECT_LE(asked, 2u);
}

TEST(Minimise, ResultIsShownAndNeverWorse) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<u32> steps(1 + random() % 10), wanted;
    for (u32& step : steps) step = random() % 3;
    for (u32 step : steps)
      if (random() % 3 == 0) wanted.push_back(step);
    // The required steps must be there, in that order.
    auto shows = [&](const Choices& all) {
      usize at = 0;
      for (const explore::Choice& choice : all)
        if (at < wanted.size() && choice.actor == wanted[at]) ++at;
      return at == wanted.size();
    };
    const Choices result = minimise(choices(steps), shows, 1000);
    EXPECT_TRUE(shows(result));
    EXPECT_LE(switches(result), switches(choices(steps)));
    EXPECT_GE(switches(result), switches(choices(wanted)));
    EXPECT_LE(actors(result).size(), steps.size());
  }
}

}  // namespace
}  // namespace heddle::confirm
