// One variable that two threads read under SIZE locks, one after the other.
#include "../bench.h"

#include <deque>
#include <mutex>
#include <thread>

namespace {
long step = 1;
}

int main(int argc, char** argv) {
  const long locks = bench::size_argument(argc, argv, 1'000, bench::Polynomial{1});
  std::deque<std::mutex> all(static_cast<std::size_t>(locks));
  auto work = [&all](long& sum) {
    for (std::mutex& one : all) {
      const std::lock_guard guard(one);
      sum += step;
    }
  };
  long sums[32] = {};
  std::thread other([&] { work(sums[31]); });
  work(sums[0]);
  other.join();
  bench::require(sums[0] == locks && sums[31] == locks, "every section ran");
}
