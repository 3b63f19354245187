// SIZE variables that race, all at one pair of lines.
#include "../bench.h"

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const long variables = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> all(static_cast<std::size_t>(variables));
  auto work = [&all] {
    for (long& one : all) one += 1;
  };
  std::thread other(work);
  work();
  other.join();
}
