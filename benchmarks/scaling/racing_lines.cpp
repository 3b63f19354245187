// Races at SIZE different places of the program, at most 2000: so many findings.
#include "../bench.h"

#include <thread>
#include <utility>

namespace {

constexpr int kPlaces = 2000;
long places[kPlaces];

template <int Place>
void touch() {
  places[Place] += 1;
}

template <int... Place>
void touch_first(long count, std::integer_sequence<int, Place...>) {
  static void (*const all[])() = {touch<Place>...};
  for (long i = 0; i < count; ++i) all[i]();
}

}  // namespace

int main(int argc, char** argv) {
  const long count = bench::size_argument(argc, argv, 1'000, bench::Polynomial{1});
  bench::require(count <= kPlaces, "there are so many places");
  auto work = [count] { touch_first(count, std::make_integer_sequence<int, kPlaces>{}); };
  std::thread other(work);
  work();
  other.join();
}
