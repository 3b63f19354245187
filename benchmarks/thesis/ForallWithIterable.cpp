// A forall over the elements of a linked list, a task for each: the root walks the list, the tasks work on what the
// elements hold.
// expect: clean
// size: 500 elements

#include <list>
#include <vector>

#include "async_finish.h"

namespace {

constexpr long kPayload = 200;  // numbers an element holds

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 500, bench::Polynomial{1});
  std::list<std::vector<long>> elements;
  for (long i = 0; i < n; ++i) elements.emplace_back(kPayload, i);
  af::root([&] {
    af::finish([&] {
      for (std::vector<long>& element : elements)
        af::async([&element] {
          for (long& number : element) number *= 2;
        });
    });
  });
  long sum = 0;
  for (const auto& element : elements)
    for (long number : element) sum += number;
  bench::require(sum == kPayload * n * (n - 1), "the sum");
}
