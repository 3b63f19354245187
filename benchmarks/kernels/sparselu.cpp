// LU factorisation of a sparse matrix of dense blocks; the order of the block operations is given by depend clauses.
// The matrix is diagonally dominant, so no pivoting is needed. Fill-in is allocated by the task that makes the others.
#include "../bench.h"

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace {

constexpr long kBlock = 32;
using Row = double[kBlock];

struct Block {
  double cell[kBlock][kBlock];
};

using Blocks = std::vector<std::unique_ptr<Block>>;  // row-major; empty where all cells are zero

bool starts_filled(long i, long j) { return std::abs(i - j) <= 1 || bench::mix(i * 4099 + j) % 4 == 0; }

Blocks generate(long n) {
  Blocks blocks(n * n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      if (!starts_filled(i, j)) continue;
      auto block = std::make_unique<Block>();
      bench::Random random(i * n + j);
      for (Row& row : block->cell)
        for (double& cell : row) cell = static_cast<double>(random.below(2001) - 1000) / 1000;
      if (i == j)
        for (long k = 0; k < kBlock; ++k) block->cell[k][k] += static_cast<double>(n * kBlock);
      blocks[i * n + j] = std::move(block);
    }
  return blocks;
}

// a = L U in place
void factorise(Block& a) {
  for (long k = 0; k < kBlock; ++k)
    for (long i = k + 1; i < kBlock; ++i) {
      const double factor = a.cell[i][k] /= a.cell[k][k];
      for (long j = k + 1; j < kBlock; ++j) a.cell[i][j] -= factor * a.cell[k][j];
    }
}

// a = L^-1 a, with the L of a factorised diagonal block
void solve_lower(const Block& diagonal, Block& a) {
  for (long k = 0; k < kBlock; ++k)
    for (long i = k + 1; i < kBlock; ++i) {
      const double factor = diagonal.cell[i][k];
      for (long j = 0; j < kBlock; ++j) a.cell[i][j] -= factor * a.cell[k][j];
    }
}

// a = a U^-1, with the U of a factorised diagonal block
void solve_upper(const Block& diagonal, Block& a) {
  for (long i = 0; i < kBlock; ++i)
    for (long k = 0; k < kBlock; ++k) {
      const double factor = a.cell[i][k] /= diagonal.cell[k][k];
      for (long j = k + 1; j < kBlock; ++j) a.cell[i][j] -= factor * diagonal.cell[k][j];
    }
}

// c -= a b
void update(const Block& a, const Block& b, Block& c) {
  for (long i = 0; i < kBlock; ++i)
    for (long k = 0; k < kBlock; ++k) {
      const double factor = a.cell[i][k];
      for (long j = 0; j < kBlock; ++j) c.cell[i][j] -= factor * b.cell[k][j];
    }
}

void factorise_all(Blocks& blocks, long n) {
  for (long k = 0; k < n; ++k) {
    Block* diagonal = blocks[k * n + k].get();
#pragma omp task firstprivate(diagonal) depend(inout : *diagonal)
    factorise(*diagonal);
    for (long j = k + 1; j < n; ++j) {
      Block* block = blocks[k * n + j].get();
      if (!block) continue;
#pragma omp task firstprivate(diagonal, block) depend(in : *diagonal) depend(inout : *block)
      solve_lower(*diagonal, *block);
    }
    for (long i = k + 1; i < n; ++i) {
      Block* block = blocks[i * n + k].get();
      if (!block) continue;
#pragma omp task firstprivate(diagonal, block) depend(in : *diagonal) depend(inout : *block)
      solve_upper(*diagonal, *block);
    }
    for (long i = k + 1; i < n; ++i)
      for (long j = k + 1; j < n; ++j) {
        Block* left = blocks[i * n + k].get();
        Block* above = blocks[k * n + j].get();
        if (!left || !above) continue;
        if (!blocks[i * n + j]) blocks[i * n + j] = std::make_unique<Block>();
        Block* block = blocks[i * n + j].get();
#pragma omp task firstprivate(left, above, block) depend(in : *left, *above) depend(inout : *block)
        update(*left, *above, *block);
      }
  }
}

using Vector = std::vector<double>;

// y = M x, where weight(row, column) says how each cell counts: all of A, only U, or L with its unit diagonal.
template <class Weight>
Vector apply(const Blocks& blocks, long n, const Vector& x, Weight weight) {
  Vector y(n * kBlock);
  for (long row = 0; row < n * kBlock; ++row)
    for (long column = 0; column < n * kBlock; ++column) {
      const Block* block = blocks[row / kBlock * n + column / kBlock].get();
      if (block) y[row] += weight(row, column, block->cell[row % kBlock][column % kBlock]) * x[column];
    }
  return y;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 44, bench::Polynomial{3});
  Blocks blocks = generate(n);
  for (const auto& block : blocks)
    if (block) bench::atomic(std::span(block.get(), 1));
#pragma omp parallel
#pragma omp single
  factorise_all(blocks, n);

  bench::Random random(1);
  Vector x(n * kBlock);
  for (double& cell : x) cell = static_cast<double>(random.below(100));
  const Vector expected = apply(generate(n), n, x, [](long, long, double cell) { return cell; });
  const Vector upper = apply(blocks, n, x, [](long i, long j, double cell) { return i <= j ? cell : 0; });
  const Vector product = apply(blocks, n, upper, [](long i, long j, double cell) {
    return i > j ? cell : i == j ? 1.0 : 0.0;
  });
  for (long i = 0; i < n * kBlock; ++i)
    bench::require(std::abs(product[i] - expected[i]) <= 1e-6 * (1 + std::abs(expected[i])), "L (U x) = A x");
}
