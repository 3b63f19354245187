// The containers and the allocator of the runtime against their standard counterparts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "base/grace.hpp"
#include "base/hash_map.hpp"
#include "base/memory.hpp"
#include "base/spin_lock.hpp"
#include "base/text.hpp"
#include "base/vector.hpp"

namespace heddle {
namespace {

TEST(HashMap, EqualsAMapUnderRandomOperations) {
  std::mt19937_64 random(1);
  for (u64 keys : {5, 40, 3000}) {
    HashMap<u64> map;
    std::map<u64, u64> plain;
    for (u32 step = 0; step < 20000; ++step) {
      u64 key = (random() % keys) * 0x1000;  // addresses are multiples
      switch (random() % 4) {
        case 0:
          map.erase(key);
          plain.erase(key);
          break;
        case 1: {
          u64* found = map.find(key);
          ASSERT_EQ(found != nullptr, plain.count(key) == 1);
          if (found) {
            ASSERT_EQ(*found, plain[key]);
          }
          break;
        }
        default: {
          u64 value = random();
          map[key] = value;
          plain[key] = value;
        }
      }
    }
    ASSERT_EQ(map.size(), plain.size());
    u64 visited = 0;
    map.for_each([&](u64 key, u64& value) {
      ++visited;
      ASSERT_EQ(plain.at(key), value);
    });
    EXPECT_EQ(visited, plain.size());
  }
}

TEST(HashMap, NewKeyStartsFromTheDefault) {
  HashMap<u32> map;
  EXPECT_EQ(map.find(7), nullptr);
  EXPECT_EQ(map[7]++, 0u);
  map.erase(7);
  EXPECT_EQ(map[7], 0u);
}

TEST(Vector, GrowsAndKeepsItsElements) {
  Vector<u32> vector;
  for (u32 i = 0; i < 10000; ++i) vector.push_back(i);
  for (u32 i = 0; i < 10000; ++i) ASSERT_EQ(vector[i], i);
  vector.erase_swap(3);
  EXPECT_EQ(vector[3], 9999u);
  EXPECT_EQ(vector.size(), 9999u);
  vector.reset();
  EXPECT_TRUE(vector.empty());
}

TEST(Vector, PushesAnElementOfItself) {
  Vector<u32> vector;
  vector.push_back(42);
  for (u32 i = 0; i < 100; ++i) vector.push_back(vector[0]);
  for (u32 value : vector) ASSERT_EQ(value, 42u);
}

TEST(Memory, BlocksAreZeroedAlignedAndDisjoint) {
  std::mt19937 random(1);
  struct Block {
    u8* at;
    usize size;
    u8 mark;
  };
  std::vector<Block> blocks;
  for (u32 step = 0; step < 20000; ++step) {
    if (blocks.size() < 200 || random() % 2) {
      usize size = 1 + random() % (random() % 50 ? 700 : 40000);
      u8* at = static_cast<u8*>(memory::allocate(size));
      ASSERT_EQ(reinterpret_cast<uptr>(at) % 16, 0u);
      for (usize i = 0; i < size; ++i) ASSERT_EQ(at[i], 0);
      u8 mark = static_cast<u8>(1 + random() % 255);
      memset(at, mark, size);
      blocks.push_back({at, size, mark});
    } else {
      usize which = random() % blocks.size();
      Block block = blocks[which];
      for (usize i = 0; i < block.size; ++i) ASSERT_EQ(block.at[i], block.mark);
      memory::release(block.at, block.size);
      blocks[which] = blocks.back();
      blocks.pop_back();
    }
  }
  for (Block block : blocks) memory::release(block.at, block.size);
}

TEST(Memory, LargeBlocksGoBackToTheKernel) {
  usize before = memory::mapped_bytes();
  void* block = memory::allocate(1 << 20);
  EXPECT_GE(memory::mapped_bytes(), before + (1 << 20));
  memory::release(block, 1 << 20);
  EXPECT_EQ(memory::mapped_bytes(), before);
}

TEST(Memory, ManyThreadsGetDifferentBlocks) {
  std::vector<std::thread> threads;
  for (u32 t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      std::vector<u64*> mine;
      for (u32 i = 0; i < 20000; ++i) {
        auto* block = static_cast<u64*>(memory::allocate(48));
        *block = u64{t} << 32 | i;
        mine.push_back(block);
        if (i % 3 == 0) {
          ASSERT_EQ(*mine.back() >> 32, t);
          memory::release(mine.back(), 48);
          mine.pop_back();
        }
      }
      for (u64* block : mine) ASSERT_EQ(*block >> 32, t);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(SpinLock, ExcludesThreads) {
  SpinLock lock;
  u64 count = 0;
  std::vector<std::thread> threads;
  for (u32 t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (u32 i = 0; i < 50000; ++i) {
        SpinGuard guard(lock);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 200000u);
}

TEST(Text, FindsAndReads) {
  EXPECT_EQ(length(""), 0u);
  EXPECT_EQ(length("abc"), 3u);
  EXPECT_TRUE(starts_with("abc", "ab"));
  EXPECT_TRUE(starts_with("abc", ""));
  EXPECT_FALSE(starts_with("ab", "abc"));
  EXPECT_STREQ(find("a:b:c", ':'), ":b:c");
  EXPECT_STREQ(find("abc", ':'), "");
  const char* rest;
  EXPECT_EQ(read_number("18446744073709551615,7", 10, &rest), ~u64{0});
  EXPECT_STREQ(rest, ",7");
  EXPECT_EQ(read_number("0x1f+8", 16, &rest), 0x1fu);
  EXPECT_STREQ(rest, "+8");
  EXPECT_EQ(read_number("fg", 16), 0xfu);
  EXPECT_EQ(read_number("words", 10, &rest), 0u);
  EXPECT_STREQ(rest, "words");
}

TEST(Text, ReadsTheEnvironment) {
  setenv("HEDDLE_BASE_TEST", "a=b", 1);
  setenv("HEDDLE_BASE_TEST_2", "", 1);
  EXPECT_STREQ(environment("HEDDLE_BASE_TEST"), "a=b");
  EXPECT_STREQ(environment("HEDDLE_BASE_TEST_2"), "");
  EXPECT_EQ(environment("HEDDLE_BASE"), nullptr);
}

TEST(Grace, APeriodEndsWhenAllWhoWereInsideHaveLeft) {
  grace::Reader a, b;
  grace::add(a);
  grace::add(b);
  grace::Period period;
  period.begin();
  EXPECT_TRUE(period.over()) << "nobody is inside";
  a.enter();
  a.enter();
  period.begin();
  EXPECT_FALSE(period.over());
  a.leave();
  EXPECT_FALSE(period.over()) << "still inside";
  b.enter();
  EXPECT_FALSE(period.over());
  a.leave();
  EXPECT_TRUE(period.over()) << "b came later";
  period.begin();
  b.leave();
  b.enter();
  EXPECT_TRUE(period.over()) << "b has left, and is back";
  period.begin();
  EXPECT_FALSE(period.over());
  grace::remove(b);
  EXPECT_TRUE(period.over()) << "b is gone";
  grace::remove(a);
}

}  // namespace
}  // namespace heddle
