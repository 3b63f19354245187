// What the programs about isolated sections work on: a short table, of which a section updates every cell. So a
// section is more than one access, and a history of some hundred thousand events has some thousand sections.
#pragma once

#include <array>

#include "async_finish.h"

namespace af {

constexpr long kCells = 64;
using Cells = std::array<long, kCells>;

inline long sum_of(const Cells& cells) {
  long sum = 0;
  for (long cell : cells) sum += cell;
  return sum;
}

}  // namespace af
