// The wait-for graph against its definition: a cycle is reported exactly when the added waiter can be reached again
// from itself.
#include "checker/deadlock/wait_for.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::deadlock {
namespace {

struct Waiter {
  u64 key;
  Acquisition wants;
  std::vector<Acquisition> held;
};

bool waits_for(const Waiter& a, const Waiter& b) {
  for (const Acquisition& held : b.held)
    if (exclude(held, a.wants)) return true;
  return false;
}

// Each edge leads to the next, and the last to the first.
bool is_cycle(const Edge* edges, u32 count) {
  for (u32 i = 0; i < count; ++i)
    if (!edges[(i + 1) % count].dependency->holds_against(edges[i].dependency->wants)) return false;
  return count > 1;
}

TEST(WaitFor, TwoWhoWaitForEachOther) {
  WaitFor graph;
  const Acquisition a{1, 10, true}, b{2, 20, true};
  u32 found = 0;
  const auto count = [&](const Edge* edges, u32 length) {
    EXPECT_EQ(edges[0].strand, 8u);
    found = length;
  };
  graph.add(1, 7, b, &a, 1, count);
  EXPECT_EQ(found, 0u);
  graph.add(2, 8, a, &b, 1, count);
  EXPECT_EQ(found, 2u);
}

TEST(WaitFor, WhoeverHasGotItWaitsNoMore) {
  WaitFor graph;
  const Acquisition a{1, 10, true}, b{2, 20, true};
  u32 found = 0;
  const auto count = [&](const Edge*, u32) { ++found; };
  graph.add(1, 7, b, &a, 1, count);
  graph.remove(1);
  graph.add(2, 8, a, &b, 1, count);
  EXPECT_EQ(found, 0u);
}

TEST(WaitFor, EqualsReachability) {
  std::mt19937 random(1);
  const auto any = [&](u32 limit) { return static_cast<u32>(random() % limit); };
  for (int program = 0; program < 20000; ++program) {
    WaitFor graph;
    std::vector<Waiter> waiting;
    const u32 locks = 2 + any(5);
    for (u64 key = 1; key <= 8; ++key) {
      if (!waiting.empty() && any(4) == 0) {
        const u32 gone = any(static_cast<u32>(waiting.size()));
        graph.remove(waiting[gone].key);
        waiting.erase(waiting.begin() + gone);
      }
      Waiter made{key, {any(locks), 0, any(3) != 0}, {}};
      for (u32 lock = 0; lock < locks; ++lock)
        if (lock != made.wants.lock && any(3) == 0) made.held.push_back({lock, 0, any(2) != 0});
      waiting.push_back(made);
      std::vector<bool> reached(waiting.size());
      std::vector<usize> open{waiting.size() - 1};
      while (!open.empty()) {
        const usize at = open.back();
        open.pop_back();
        for (usize next = 0; next < waiting.size(); ++next)
          if (!reached[next] && waits_for(waiting[at], waiting[next])) {
            reached[next] = true;
            open.push_back(next);
          }
      }
      bool told = false;
      graph.add(key, key, made.wants, made.held.data(), static_cast<u32>(made.held.size()),
                [&](const Edge* edges, u32 count) {
                  told = true;
                  EXPECT_TRUE(is_cycle(edges, count));
                });
      ASSERT_EQ(told, static_cast<bool>(reached.back())) << "program " << program;
    }
    EXPECT_EQ(graph.size(), waiting.size());
  }
}

}  // namespace
}  // namespace heddle::deadlock
