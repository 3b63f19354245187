// The Configurable programs: so many tasks, each with so many accesses, to a place of its own or to one that all
// share. What the names vary is only the numbers.
#pragma once

#include <vector>

#include "async_finish.h"

namespace configurable {

// A place is a line of cells, so that an access is not always the same as the one before.
constexpr long kCells = 64;
using Place = std::vector<long>;

// `place_of(task)` says where a task works; `touch(cell)` is the access.
template <class PlaceOf, class Touch>
void run(long tasks, long accesses, const PlaceOf& place_of, const Touch& touch) {
  af::root([&] {
    af::forall(0, tasks, tasks, [&, accesses](long task) {
      Place& place = place_of(task);
      for (long i = 0; i < accesses; ++i) touch(place[i % kCells]);
    });
  });
}

inline void run_apart(long tasks, long accesses) {
  std::vector<Place> places(tasks, Place(kCells));
  run(
      tasks, accesses, [&](long task) -> Place& { return places[task]; }, [](long& cell) { ++cell; });
  long sum = 0;
  for (const Place& place : places)
    for (long cell : place) sum += cell;
  bench::require(sum == tasks * accesses, "the number of accesses");
}

}  // namespace configurable
