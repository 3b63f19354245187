// A range of the program's own, a triangle that is cut into bands of equal area. Each band has rows of its own.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

struct Rows {
  int first, last;
  Rows(int from, int to) : first(from), last(to) {}
  Rows(Rows& other, tbb::split) : first((2 * other.first + 3 * other.last) / 5), last(other.last) {
    if (first == other.first) ++first;
    other.last = first;
  }
  bool empty() const { return first >= last; }
  bool is_divisible() const { return last - first > 2; }
};

int triangle[40][40];

static int run() {
  tbb::parallel_for(Rows(0, 40), [](const Rows& rows) {
    for (int i = rows.first; i < rows.last; ++i)
      for (int j = 0; j <= i; ++j) triangle[i][j] = j == 0 ? 1 : triangle[i][j - 1] + 1;
  });
  return triangle[39][39] != 40;
}

int main() { return on_workers(run); }
