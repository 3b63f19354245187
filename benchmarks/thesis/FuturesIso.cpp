// Futures on threads of their own add to a table under one mutex and return what they added; the last of them does
// without it.
// expect: race
// size: 250 sections a future

#include <future>
#include <mutex>
#include <vector>

#include "table_of_cells.h"

namespace {

constexpr long kFutures = 8;

}  // namespace

int main(int argc, char** argv) {
  const long sections = bench::size_argument(argc, argv, 250, bench::Polynomial{1});
  af::Cells cells{};
  std::mutex isolated;
  const auto add = [&](long amount) {
    for (long& cell : cells) cell += amount;  // race: A
    return amount * af::kCells;
  };
  std::vector<std::future<long>> futures;
  for (long f = 1; f < kFutures; ++f)
    futures.push_back(std::async(std::launch::async, [&, f] {
      long added = 0;
      for (long i = 0; i < sections; ++i) {
        const std::lock_guard<std::mutex> hold(isolated);
        added += add(f);
      }
      return added;
    }));
  futures.push_back(std::async(std::launch::async, [&] { return add(kFutures); }));
  long added = 0;
  for (auto& future : futures) added += future.get();
  bench::require(added == (kFutures * (kFutures - 1) / 2 * sections + kFutures) * af::kCells,
                 "what was added");
}
