// Recursive radix-2 Fourier transform: a task per half, and a taskloop for the butterflies of long transforms.
#include "../bench.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace {

constexpr long kLeaf = 2048;
constexpr long kGrain = 4096;  // butterflies per taskloop chunk

using Complex = std::complex<double>;
using Signal = std::vector<Complex>;

struct Plan {
  long size;
  Signal roots;  // roots[k] = exp(-2 pi i k / size)
  explicit Plan(long n) : size(n), roots(n / 2) {
    const double turn = -2 * M_PI / static_cast<double>(n);
    for (long k = 0; k < n / 2; ++k) roots[k] = std::polar(1.0, turn * static_cast<double>(k));
  }
};

inline void butterfly(const Plan& plan, Complex* data, long half, long k) {
  const Complex root = plan.roots[k * (plan.size / (2 * half))];
  const Complex even = data[k], odd = data[k + half];
  // Spelled out: operator* of std::complex calls a library routine for the sake of infinities.
  const Complex turned(root.real() * odd.real() - root.imag() * odd.imag(),
                       root.real() * odd.imag() + root.imag() * odd.real());
  data[k] = even + turned;
  data[k + half] = even - turned;
}

// Transforms data[0..n); scratch has the same length.
void transform(const Plan& plan, Complex* data, Complex* scratch, long n) {
  if (n == 1) return;
  const long half = n / 2;
  for (long k = 0; k < half; ++k) {
    scratch[k] = data[2 * k];
    scratch[k + half] = data[2 * k + 1];
  }
#pragma omp task if (n > kLeaf) shared(plan)
  transform(plan, scratch, data, half);
  transform(plan, scratch + half, data + half, half);
#pragma omp taskwait
  std::copy(scratch, scratch + n, data);
  if (half > kGrain) {
#pragma omp taskloop grainsize(kGrain) shared(plan)
    for (long k = 0; k < half; ++k) butterfly(plan, data, half, k);
  } else {
    for (long k = 0; k < half; ++k) butterfly(plan, data, half, k);
  }
}

Complex direct_bin(const Signal& input, const Plan& plan, long bin) {
  Complex sum = 0;
  for (long i = 0; i < plan.size; ++i) {
    const long k = i * bin % plan.size;
    sum += input[i] * (k < plan.size / 2 ? plan.roots[k] : -plan.roots[k - plan.size / 2]);
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = 1L << bench::size_argument(argc, argv, 21, bench::Exponential{2.1});
  const Plan plan(n);
  Signal input(n), scratch(n);
  bench::Random random(1);
  for (Complex& sample : input) sample = {static_cast<double>(random.below(100)), 0};
  Signal output = input;
  bench::atomic(output);
#pragma omp parallel
#pragma omp single
  transform(plan, output.data(), scratch.data(), n);
  const double tolerance = 1e-6 * static_cast<double>(n);
  for (long bin : {0L, 1L, n / 3, n - 1})
    bench::require(std::abs(output[bin] - direct_bin(input, plan, bin)) < tolerance,
                   "a bin of the transform");
}
