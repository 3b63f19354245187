// Counts words in a concurrent_hash_map: a string is made for each word, and an accessor holds its element.
#include <tbb/blocked_range.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <string>

#include "../bench.h"

namespace {

using Table = tbb::concurrent_hash_map<std::string, long>;

constexpr long kWords = 5'000;

// Small numbers are much more frequent than large ones, as words of a language are.
std::string word(long position) {
  const auto random = bench::mix(position);
  const long rank = static_cast<long>(random % kWords) * static_cast<long>((random >> 32) % kWords) / kWords;
  return "word-" + std::to_string(rank);
}

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, 2'000'000, bench::Polynomial{1});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  Table table;
  tbb::parallel_for(tbb::blocked_range<long>(0, size, 1'000), [&](const tbb::blocked_range<long>& range) {
    for (long i = range.begin(); i != range.end(); ++i) {
      Table::accessor element;
      table.insert(element, word(i));
      ++element->second;
    }
  });
  long total = 0;
  for (const auto& [text, count] : table) total += count;
  bench::require(total == size, "every word was counted");
}
