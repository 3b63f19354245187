// A block against the plain thing it stands for: what every granule remembers, as a list.
#include "checker/race/block_cells.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "event/random/rng.hpp"

namespace heddle::race {
namespace {

using event::Rng;
using Plain = std::vector<u64>;

Plain contents(const Cell& cell) {
  Plain all;
  for (u32 i = 0; i < cell.count(); ++i) all.push_back(cell.at(i).what);
  return all;
}

void become(Cell& cell, const Plain& wanted) {
  release(cell);
  auto access = [](u64 number) { return Access{u64{1} << 63 | number, number}; };
  cell = {};
  if (!wanted.empty()) cell.first = access(wanted[0]);
  if (wanted.size() == 2) cell.second = access(wanted[1]);
  if (wanted.size() < 3) return;
  AccessList* list = make_list(static_cast<u32>(wanted.size()));
  list->count = static_cast<u32>(wanted.size());
  for (u32 i = 0; i < wanted.size(); ++i) list->at[i] = access(wanted[i]);
  cell = {access(wanted.back()), {reinterpret_cast<u64>(list), 0}};
}

// Some accesses replace what was there, some are added, some leave it as it is.
Plain after(const Plain& before, u64 access, u32 kind) {
  if (kind == 0) return {access};
  if (kind == 1 && before.size() > 3) return before;
  Plain result = before;
  result.push_back(access);
  return result;
}

// Stretches mostly, as programs have them; sometimes anything.
u32 some_granules(Rng& rng) {
  if (rng.percent(20)) return static_cast<u32>(rng.below(1u << 16) << 16 | rng.below(1u << 16)) | 1;
  if (rng.percent(30)) return ~0u;
  u32 first = rng.below(32), length = rng.between(1, 32 - first);
  return (length == 32 ? ~0u : (1u << length) - 1) << first;
}

TEST(BlockCells, EqualsAListForEveryGranule) {
  for (u64 seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    BlockCells block = {};
    Plain plain[32];
    for (u64 step = 1; step < 60; ++step) {
      u32 granules = some_granules(rng), kind = rng.below(3), seen = 0;
      if (rng.percent(15)) {
        block.clear(granules, [&](const Cell& cell, u32 those) {
          for (u32 g = 0; g < 32; ++g)
            if (those >> g & 1) {
              EXPECT_EQ(contents(cell), plain[g]);
            }
          seen |= those;
        });
        for (u32 g = 0; g < 32; ++g) {
          if (!(granules >> g & 1)) continue;
          EXPECT_EQ(seen >> g & 1, !plain[g].empty());
          plain[g].clear();
        }
      } else {
        u64 access = rng.percent(50) ? step : rng.below(4) + 1;
        block.update(granules, [&](Cell& cell, u32 those) {
          EXPECT_EQ(seen & those, 0u);
          seen |= those;
          Plain before = contents(cell);
          Plain wanted = after(before, access, kind);
          if (wanted != before) become(cell, wanted);
        });
        EXPECT_EQ(seen, granules);
        if (rng.percent(30)) block.regroup();
        for (u32 g = 0; g < 32; ++g)
          if (granules >> g & 1) plain[g] = after(plain[g], access, kind);
      }
      for (u32 g = 0; g < 32; ++g)
        ASSERT_EQ(contents(block.at(g)), plain[g]) << "seed " << seed << " step " << step << " granule " << g;
    }
    block.clear(~0u);
    EXPECT_TRUE(block.empty());
    EXPECT_TRUE(block.uniform());
  }
}

TEST(BlockCells, OneCellStandsForAllAgainOnceAllRememberTheSame) {
  BlockCells block = {};
  auto write = [](u64 strand) { return [strand](Cell& cell, u32) { become(cell, {strand}); }; };
  block.update(~0u, write(1));
  EXPECT_TRUE(block.uniform());
  block.update(0x00ffff00, write(2));
  EXPECT_FALSE(block.uniform());
  EXPECT_FALSE(block.separate());
  block.update(~0u, write(3));
  EXPECT_TRUE(block.uniform());
  block.clear(~0u);
}

TEST(BlockCells, ManyGroupsBecomeCellsAndFewBecomeGroups) {
  BlockCells block = {};
  for (u32 granule = 0; granule < 32; ++granule)
    block.update(1u << granule, [&](Cell& cell, u32) { become(cell, {granule + 1, 99}); });
  EXPECT_TRUE(block.separate());
  for (u32 i = 0; i < 4; ++i) block.update(0x11111111u << i, [&](Cell& cell, u32) { become(cell, {i + 1}); });
  EXPECT_TRUE(block.separate());
  block.regroup();
  EXPECT_FALSE(block.separate());
  for (u32 granule = 0; granule < 32; ++granule) EXPECT_EQ(block.at(granule).first.what, granule % 4 + 1);
  block.clear(~0u);
  EXPECT_TRUE(block.empty());
}

TEST(BlockCells, ListsAreSharedAndFreedWithTheLastWhoRemembers) {
  BlockCells block = {};
  block.update(~0u, [](Cell& cell, u32) { become(cell, {1, 2, 3}); });
  AccessList* list = block.at(0).list();
  block.update(0xff, [](Cell& cell, u32) { become(cell, {3}); });
  EXPECT_EQ(list->references, 1u);  // one group
  for (u32 granule = 0; granule < 16; ++granule)
    block.update(1u << granule, [&](Cell& cell, u32) { become(cell, {granule + 4}); });
  EXPECT_EQ(list->references, 16u);  // each its own
  block.clear(0xffffff);
  EXPECT_EQ(list->references, 8u);
  const Cell cell = block.at(31);
  retain(cell);
  block.clear(~0u);
  EXPECT_EQ(list->references, 1u);
  release(cell);
}

}  // namespace
}  // namespace heddle::race
