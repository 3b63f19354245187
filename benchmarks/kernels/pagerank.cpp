// PageRank: every page pulls from the pages that link to it, in two buffers that change places. A few pages have very
// many links, so chunks of the loop are handed out dynamically; what a page reads is scattered over the whole buffer.
#include "../bench.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace {

constexpr double kDamping = 0.85;
constexpr int kRounds = 60;
constexpr long kMostLinks = 15;  // of one page

// The pages that link to v are source[start[v]] to source[start[v + 1] - 1].
struct Links {
  std::vector<long> start;
  std::vector<int> source;
  std::vector<int> out;  // how many links a page has; at least one
  long pages() const { return static_cast<long>(out.size()); }
};

// The k-th most popular page is drawn with a probability that falls as a power of k.
int popular(bench::Random& random, long n) {
  const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
  const long rank = static_cast<long>(u * u * u * static_cast<double>(n));
  return static_cast<int>(rank * 2'654'435'761 % n);  // the popular ones are spread over all numbers
}

Links generate(long n) {
  bench::Random random(1);
  std::vector<std::pair<int, int>> links;
  Links result{std::vector<long>(n + 1), {}, std::vector<int>(n)};
  for (int from = 0; from < n; ++from) {
    result.out[from] = 1 + static_cast<int>(random.below(kMostLinks));
    for (int i = 0; i < result.out[from]; ++i) links.emplace_back(from, popular(random, n));
  }
  for (auto [from, to] : links) ++result.start[to + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  std::vector<long> place = result.start;
  result.source.resize(links.size());
  for (auto [from, to] : links) result.source[place[to]++] = from;
  return result;
}

// Both buffers have the rank that each link of a page passes on. Returns how much ranks changed.
double step(const Links& links, const std::vector<double>& before, std::vector<double>& after) {
  const long n = links.pages();
  double change = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : change)
  for (long v = 0; v < n; ++v) {
    double sum = 0;
    for (long k = links.start[v]; k < links.start[v + 1]; ++k) sum += before[links.source[k]];
    const double rank = (1 - kDamping) / static_cast<double>(n) + kDamping * sum;
    change += std::fabs(rank - before[v] * links.out[v]);
    after[v] = rank / links.out[v];
  }
  return change;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 300'000, bench::Polynomial{1});
  const Links links = generate(n);
  std::vector<double> before(n), after(n);
  for (long v = 0; v < n; ++v) after[v] = 1 / (static_cast<double>(n) * links.out[v]);
  double bound = 2;  // each round changes ranks by at most kDamping times what the last one did
  for (int i = 0; i < kRounds; ++i) {
    before.swap(after);
    const double change = step(links, before, after);
    bench::require(change <= bound * (1 + 1e-9) + 1e-12, "changes become smaller");
    bound = kDamping * change;
  }
  double total = 0;
  for (long v = 0; v < n; ++v) total += after[v] * links.out[v];
  bench::require(std::fabs(total - 1) < 1e-9, "ranks add up to one");
}
