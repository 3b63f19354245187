// What every benchmark program shares: one size argument, one self-check, one random stream.
//
// A size is written either absolutely (`./fib 35`) or relative to the standard one (`./fib x0.25`: a quarter of the
// standard *work*). How work grows with size differs from kernel to kernel, so each states its growth.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#ifdef HEDDLE
#include <heddle/annotate.h>
#endif

namespace bench {

// What tasks share and change, a contiguous range: `heddle run --check=atomicity` watches every access to it. Nothing
// otherwise.
template <class Range>
void atomic([[maybe_unused]] const Range& data) {
#ifdef HEDDLE
  HEDDLE_ATOMIC_RANGE(data.data(), data.size() * sizeof *data.data());
#endif
}

// The same for variables that are meant to be atomic together.
template <class... Variable>
void atomic_group([[maybe_unused]] const Variable&... variables) {
#ifdef HEDDLE
  const unsigned group = __heddle_new_atomic_group();
  (__heddle_atomic(&variables, sizeof variables, group), ...);
#endif
}

// Work is proportional to size^degree.
struct Polynomial {
  double degree;
  long scaled(long standard, double scale) const {
    return std::lround(static_cast<double>(standard) * std::pow(scale, 1.0 / degree));
  }
};

// Work is proportional to base^size.
struct Exponential {
  double base;
  long scaled(long standard, double scale) const {
    return std::lround(static_cast<double>(standard) + std::log(scale) / std::log(base));
  }
};

template <class Growth>
long size_argument(int argc, char** argv, long standard, Growth growth) {
  if (argc < 2) return standard;
  const bool relative = argv[1][0] == 'x';
  const double given = std::atof(relative ? argv[1] + 1 : argv[1]);
  const long size = relative && given > 0 ? growth.scaled(standard, given) : static_cast<long>(given);
  if (given > 0) return size < 1 ? 1 : size;
  std::fprintf(stderr, "usage: %s [SIZE | xSCALE]   (SIZE is %ld unless given)\n", argv[0], standard);
  std::exit(2);
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

// How many threads the std::thread programs start, and the limit of those on oneTBB: the same number OpenMP would take.
inline int thread_count() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  const int wanted = text ? std::atoi(text) : 2;
  return wanted < 1 ? 1 : wanted;
}

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }
  long below(long bound) { return static_cast<long>(next() % static_cast<std::uint64_t>(bound)); }

 private:
  std::uint64_t state_;
};

}  // namespace bench
