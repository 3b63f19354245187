// SIZE locks, each with a value of its own, taken by two threads.
#include "../bench.h"

#include <deque>
#include <mutex>
#include <thread>

namespace {
struct Locked {
  std::mutex mutex;
  long value = 0;
};
}  // namespace

int main(int argc, char** argv) {
  const long locks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::deque<Locked> all(static_cast<std::size_t>(locks));
  auto work = [&all] {
    for (Locked& one : all) {
      const std::lock_guard guard(one.mutex);
      one.value += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
  bench::require(all.back().value == 2, "every section ran");
}
