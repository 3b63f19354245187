// SIZE words of memory, one half written by each of two threads, in turns, then read by both.
#include "../bench.h"

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const long words = bench::size_argument(argc, argv, 10'000'000, bench::Polynomial{1});
  std::vector<long> all(static_cast<std::size_t>(words));
  auto write = [&all](std::size_t first) {
    for (std::size_t i = first; i < all.size(); i += 2) all[i] = 1;
  };
  std::thread writer(write, 0);
  write(1);
  writer.join();
  auto sum = [&all](long& result) {
    for (const long word : all) result += word;
  };
  long sums[16] = {};
  std::thread reader([&] { sum(sums[15]); });
  sum(sums[0]);
  reader.join();
  bench::require(sums[0] == words && sums[15] == words, "every word was written");
}
