// An iteration throws; the loop has ended when the handler runs. Then a reduction and an invocation do the same.
// expect: clean
// workers: 1 2 8

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

#include <stdexcept>
#include <string>

#include "../../workers.hpp"

int cells[100];

static int run() {
  std::string caught;
  try {
    tbb::parallel_for(0, 100, [](int i) {
      cells[i] = 1;
      if (i == 50) throw std::runtime_error("for");
    });
  } catch (const std::runtime_error& error) {
    caught += error.what();
    for (int& cell : cells) cell = 0;
  }
  try {
    tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 100, 5), std::string(),
        [](const tbb::blocked_range<int>& range, const std::string& text) {
          for (int i = range.begin(); i != range.end(); ++i) ++cells[i];
          if (range.begin() <= 70 && 70 < range.end()) throw std::runtime_error("reduce");
          return text + "x";
        },
        [](const std::string& left, const std::string& right) { return left + right; });
  } catch (const std::runtime_error& error) {
    caught += error.what();
    for (int& cell : cells) cell = 0;
  }
  try {
    tbb::parallel_invoke([] { ++cells[0]; }, [] { throw std::runtime_error("invoke"); });
  } catch (const std::runtime_error& error) {
    caught += error.what();
    ++cells[0];
  }
  return caught != "forreduceinvoke";
}

int main() { return on_workers(run); }
