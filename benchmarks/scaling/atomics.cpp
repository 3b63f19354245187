// SIZE atomic variables, through which each of two threads publishes and learns.
#include "../bench.h"

#include <atomic>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const long variables = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<std::atomic<long>> all(static_cast<std::size_t>(variables));
  auto work = [&all] {
    for (std::atomic<long>& one : all) one.fetch_add(1);
  };
  std::thread other(work);
  work();
  other.join();
  bench::require(all.back() == 2, "every variable was visited");
}
