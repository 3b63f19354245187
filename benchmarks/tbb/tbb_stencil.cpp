// Jacobi sweeps over a square grid, from one copy into the other: parallel_for over a range of two dimensions.
#include <tbb/blocked_range2d.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <utility>
#include <vector>

#include "../bench.h"

namespace {

constexpr int kSweeps = 40;

// A square of cells with a border that stays fixed.
struct Grid {
  long n;
  std::vector<double> cells;
  explicit Grid(long side) : n(side), cells((side + 2) * (side + 2)) {}
  double* row(long i) { return cells.data() + i * (n + 2); }
};

void sweep(Grid& from, Grid& to) {
  tbb::parallel_for(tbb::blocked_range2d<long>(1, from.n + 1, 32, 1, from.n + 1, 256),
                    [&](const tbb::blocked_range2d<long>& tile) {
                      for (long i = tile.rows().begin(); i != tile.rows().end(); ++i) {
                        const double *above = from.row(i - 1), *here = from.row(i), *below = from.row(i + 1);
                        double* result = to.row(i);
                        for (long j = tile.cols().begin(); j != tile.cols().end(); ++j)
                          result[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
                      }
                    });
}

// The plane x + 2y solves the equation exactly; what is off it is error, and every sweep must shrink it.
double plane(long i, long j) { return static_cast<double>(i + 2 * j); }

double mean_error(Grid& grid) {
  double sum = 0;
  for (long i = 1; i <= grid.n; ++i)
    for (long j = 1; j <= grid.n; ++j) sum += std::abs(grid.row(i)[j] - plane(i, j));
  return sum / static_cast<double>(grid.n * grid.n);
}

}  // namespace

int main(int argc, char** argv) {
  const long side = bench::size_argument(argc, argv, 1500, bench::Polynomial{2});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  Grid now(side), next(side);
  bench::Random random(1);
  for (long i = 0; i < side + 2; ++i)
    for (long j = 0; j < side + 2; ++j) {
      const bool border = i == 0 || j == 0 || i > side || j > side;
      now.row(i)[j] = plane(i, j) + (border ? 0 : static_cast<double>(random.below(2001) - 1000) / 1000);
      next.row(i)[j] = now.row(i)[j];
    }
  const double before = mean_error(now);
  for (int i = 0; i < kSweeps; ++i) {
    sweep(now, next);
    std::swap(now.cells, next.cells);
  }
  bench::require(mean_error(now) < before / 4, "the error shrinks");
}
