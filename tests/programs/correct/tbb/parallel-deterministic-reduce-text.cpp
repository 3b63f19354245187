// Pieces of a text are put together in the order of the range, whatever ran first.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <string>

#include "../../workers.hpp"

static int run() {
  std::string text = tbb::parallel_deterministic_reduce(
      tbb::blocked_range<int>(0, 26, 1), std::string(),
      [](const tbb::blocked_range<int>& range, std::string partial) {
        for (int i = range.begin(); i != range.end(); ++i) partial += static_cast<char>('a' + i);
        return partial;
      },
      [](const std::string& left, const std::string& right) { return left + right; });
  return text != "abcdefghijklmnopqrstuvwxyz";
}

int main() { return on_workers(run); }
