// Conjugate gradients with a sparse matrix: one parallel region for the whole iteration, static loops, and reductions
// into variables that all threads read next. The matrix is an implicit step of the heat equation on a square.
#include "../bench.h"

#include <cmath>
#include <vector>

namespace {

constexpr double kShift = 0.02;  // the larger, the fewer iterations
constexpr double kAccuracy = 1e-9;
constexpr int kMostIterations = 1000;

using Vector = std::vector<double>;

// Compressed rows: those of row i are at start[i] to start[i + 1] - 1.
struct SparseMatrix {
  std::vector<long> start{0};
  std::vector<int> column;
  std::vector<double> value;

  long rows() const { return static_cast<long>(start.size()) - 1; }
  void add(long in_column, double given) {
    column.push_back(static_cast<int>(in_column));
    value.push_back(given);
  }
  double row_times(long row, const Vector& x) const {
    double sum = 0;
    for (long k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
    return sum;
  }
};

SparseMatrix heat_step(long side) {
  SparseMatrix m;
  for (long y = 0; y < side; ++y) {
    for (long x = 0; x < side; ++x) {
      const long i = y * side + x;
      if (y > 0) m.add(i - side, -1);
      if (x > 0) m.add(i - 1, -1);
      m.add(i, 4 + kShift);
      if (x + 1 < side) m.add(i + 1, -1);
      if (y + 1 < side) m.add(i + side, -1);
      m.start.push_back(static_cast<long>(m.column.size()));
    }
  }
  return m;
}

double squared(const Vector& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return sum;
}

// Returns x with m x = b, and the number of iterations.
int solve(const SparseMatrix& m, const Vector& b, Vector& x) {
  const long n = m.rows();
  Vector rest = b, direction = b, image(n);
  x.assign(n, 0);
  double error = squared(rest), next_error = 0, curvature = 0;
  const double enough = kAccuracy * kAccuracy * error;
  int iterations = 0;
#pragma omp parallel
  while (error > enough && iterations < kMostIterations) {
#pragma omp for schedule(static) reduction(+ : curvature)
    for (long i = 0; i < n; ++i) {
      image[i] = m.row_times(i, direction);
      curvature += direction[i] * image[i];
    }
    const double length = error / curvature;
#pragma omp for schedule(static) reduction(+ : next_error)
    for (long i = 0; i < n; ++i) {
      x[i] += length * direction[i];
      rest[i] -= length * image[i];
      next_error += rest[i] * rest[i];
    }
    const double keep = next_error / error;
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i) direction[i] = rest[i] + keep * direction[i];
      // The barrier of the loop: all have read the old values.
#pragma omp single
    {
      error = next_error;
      curvature = next_error = 0;
      ++iterations;
    }
  }
  return iterations;
}

}  // namespace

int main(int argc, char** argv) {
  const long side = bench::size_argument(argc, argv, 550, bench::Polynomial{2});
  const SparseMatrix m = heat_step(side);
  bench::Random random(1);
  Vector wanted(m.rows()), b(m.rows()), x;
  for (double& value : wanted) value = static_cast<double>(random.below(2000) - 1000) / 1000;
  for (long i = 0; i < m.rows(); ++i) b[i] = m.row_times(i, wanted);
  bench::require(solve(m, b, x) < kMostIterations, "iterations end");
  for (long i = 0; i < m.rows(); ++i) bench::require(std::fabs(x[i] - wanted[i]) < 1e-4, "solution");
}
