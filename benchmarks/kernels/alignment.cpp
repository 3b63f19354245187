// Scores every pair of sequences with affine gaps (Gotoh 1982): one task per pair, with two rows of its own and one
// cell to write in the result matrix all share.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kMatch = 5, kMismatch = -4, kOpenGap = -10, kExtendGap = -1;
constexpr int kMinusInfinity = -1'000'000;
constexpr long kLength = 400;

using Sequence = std::vector<char>;

int score(const Sequence& a, const Sequence& b) {
  const long n = static_cast<long>(b.size());
  std::vector<int> best(n + 1), gap_in_b(n + 1, kMinusInfinity);
  for (long j = 1; j <= n; ++j) best[j] = kOpenGap + static_cast<int>(j) * kExtendGap;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = best[0];
    int gap_in_a = kMinusInfinity;
    best[0] = kOpenGap + static_cast<int>(i) * kExtendGap;
    for (long j = 1; j <= n; ++j) {
      gap_in_a = std::max(gap_in_a, best[j - 1] + kOpenGap) + kExtendGap;
      gap_in_b[j] = std::max(gap_in_b[j], best[j] + kOpenGap) + kExtendGap;
      const int matched = diagonal + (a[i - 1] == b[j - 1] ? kMatch : kMismatch);
      diagonal = best[j];
      best[j] = std::max({matched, gap_in_a, gap_in_b[j]});
    }
  }
  return best[n];
}

}  // namespace

int main(int argc, char** argv) {
  const long count = bench::size_argument(argc, argv, 48, bench::Polynomial{2});
  bench::Random random(1);
  std::vector<Sequence> sequences;
  for (long i = 0; i < count; ++i) {
    Sequence sequence(kLength + random.below(kLength / 4));
    for (char& letter : sequence) letter = "ACDEFGHIKLMNPQRSTVWY"[random.below(20)];
    sequences.push_back(std::move(sequence));
  }
  std::vector<int> scores(count * count);
  bench::atomic(scores);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < count; ++i)
    for (long j = i; j < count; ++j) {
#pragma omp task shared(scores, sequences) firstprivate(i, j, count)
      scores[i * count + j] = score(sequences[i], sequences[j]);
    }

  for (long i = 0; i < count; ++i) {
    const int perfect = kMatch * static_cast<int>(sequences[i].size());
    bench::require(scores[i * count + i] == perfect, "a sequence matches itself");
    for (long j = i + 1; j < count; ++j)
      bench::require(scores[i * count + j] < perfect, "no other pair is perfect");
  }
  if (count > 1) bench::require(scores[1] == score(sequences[1], sequences[0]), "the score is symmetric");
}
