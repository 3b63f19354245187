// Looks through a log: a task per chunk counts several patterns (Horspool's algorithm) and parses every number out of
// the bytes. What begins in a chunk belongs to it, so tasks also read the first bytes of the next one.
#include "../bench.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr long kChunk = 1 << 14;
constexpr std::array<std::string_view, 6> kPatterns = {"error",    "timeout",      "refused",
                                                       "retry of", "disconnected", "checksum"};
constexpr std::array<std::string_view, 8> kFillers = {"opened", "closed", "user",  "file",
                                                      "after",  "bytes",  "while", "erroneous"};

struct Findings {
  std::array<long, kPatterns.size()> occurrences{};
  long numbers = 0;
  long sum = 0;
};

class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text) {
    const long length = static_cast<long>(text.size());
    skip_.fill(static_cast<std::uint8_t>(length));
    for (long i = 0; i + 1 < length; ++i) skip_[index(text[i])] = static_cast<std::uint8_t>(length - 1 - i);
  }
  // How often it begins in [first, last).
  long count(const std::string& log, long first, long last) const {
    const long length = static_cast<long>(text_.size());
    last = std::min(last, static_cast<long>(log.size()) - length + 1);
    long found = 0;
    for (long at = first; at < last; at += skip_[index(log[at + length - 1])]) {
      long left = length;
      while (left > 0 && log[at + left - 1] == text_[left - 1]) --left;
      if (left == 0) ++found;
    }
    return found;
  }

 private:
  static unsigned index(char c) { return static_cast<unsigned char>(c); }
  std::string text_;
  std::array<std::uint8_t, 256> skip_;  // how far to move when a byte stands at the pattern's end
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void parse_numbers(const std::string& log, long first, long last, Findings& findings) {
  const long size = static_cast<long>(log.size());
  for (long at = first; at < last; ++at) {
    if (!is_digit(log[at]) || (at > 0 && is_digit(log[at - 1]))) continue;
    long number = 0;
    for (long i = at; i < size && is_digit(log[i]); ++i) number = 10 * number + (log[i] - '0');
    ++findings.numbers;
    findings.sum += number;
  }
}

void add(Findings& total, const Findings& part) {
  for (std::size_t i = 0; i < kPatterns.size(); ++i) total.occurrences[i] += part.occurrences[i];
  total.numbers += part.numbers;
  total.sum += part.sum;
}

// Notes what it writes.
std::string write_log(long size, Findings& written) {
  bench::Random random(1);
  std::string log;
  while (static_cast<long>(log.size()) < size) {
    const long kind = random.below(32);
    if (kind < static_cast<long>(kPatterns.size())) {
      log += kPatterns[kind];
      ++written.occurrences[kind];
    } else if (kind < 12) {
      const long number = random.below(1'000'000);
      log += std::to_string(number);
      ++written.numbers;
      written.sum += number;
    } else {
      log += kFillers[random.below(static_cast<long>(kFillers.size()))];
    }
    log += random.below(10) == 0 ? '\n' : ' ';
  }
  return log;
}

}  // namespace

int main(int argc, char** argv) {
  const long chunks = bench::size_argument(argc, argv, 2500, bench::Polynomial{1});
  Findings written, found;
  // "erro" of a filler and of "error" are the same: searches meet near misses.
  const std::string log = write_log(chunks * kChunk, written);
  const long size = static_cast<long>(log.size());
  std::vector<Pattern> patterns(kPatterns.begin(), kPatterns.end());
#pragma omp parallel
#pragma omp single
  for (long first = 0; first < size; first += kChunk) {
#pragma omp task shared(log, patterns, found) firstprivate(first)
    {
      const long last = std::min(first + kChunk, size);
      Findings mine;
      for (std::size_t i = 0; i < patterns.size(); ++i)
        mine.occurrences[i] = patterns[i].count(log, first, last);
      parse_numbers(log, first, last, mine);
#pragma omp critical(found)
      add(found, mine);
    }
  }
  bench::require(found.occurrences == written.occurrences, "every pattern as often as it was written");
  bench::require(found.numbers == written.numbers && found.sum == written.sum, "every number");
}
