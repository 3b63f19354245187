#include "runtime/tables/call_stacks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

// So many that the table has several parts: each stack keeps its number, and its frames.
TEST(CallStacks, KeepTheirNumbersWhenTheTableGrows) {
  CallStacks stacks;
  stacks.expect_few();
  constexpr u32 kStacks = 300'000;
  std::vector<StackId> ids(kStacks);
  bool made = false;
  for (u32 i = 1; i < kStacks; ++i) {
    ids[i] = stacks.extend(ids[i / 2], 0x1000 + i % 2, made);
    ASSERT_TRUE(made);
  }
  EXPECT_EQ(stacks.count(), kStacks - 1);
  for (u32 i = 1; i < kStacks; ++i) {
    ASSERT_EQ(stacks.extend(ids[i / 2], 0x1000 + i % 2, made), ids[i]);
    ASSERT_FALSE(made);
    uptr pcs[2];
    ASSERT_EQ(stacks.unwind(ids[i], pcs, 2), i > 1 ? 2u : 1u);
    EXPECT_EQ(pcs[0], 0x1000 + i % 2);
  }
}

}  // namespace
}  // namespace heddle
