// Accesses from SIZE different call stacks, by two threads: the bits of a number choose the functions. Each thread has
// a cell for each stack.
#include "../bench.h"

#include <bit>
#include <thread>
#include <vector>

namespace {

template <int Which>
__attribute__((noinline)) void descend(unsigned long bits, int levels, long& cell) {
  if (levels == 0) {
    cell += 1 + Which;
    return;
  }
  if (bits & 1)
    descend<1>(bits >> 1, levels - 1, cell);
  else
    descend<0>(bits >> 1, levels - 1, cell);
  asm volatile("");  // no tail call: the frame stays
}

}  // namespace

int main(int argc, char** argv) {
  const long stacks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  const int levels = std::bit_width(static_cast<unsigned long>(stacks - 1));
  std::vector<long> cells(static_cast<std::size_t>(2 * stacks));
  auto work = [&](long* mine) {
    for (long i = 0; i < stacks; ++i) descend<0>(static_cast<unsigned long>(i), levels, mine[i]);
  };
  std::thread other(work, cells.data());
  work(cells.data() + stacks);
  other.join();
  for (const long cell : cells) bench::require(cell > 0, "every stack was there");
}
