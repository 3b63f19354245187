// Both tasks find the same element; one writes its value while the other one reads it.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_map.h>
#include <tbb/parallel_invoke.h>

#include "../../workers.hpp"

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::concurrent_map<int, int> map;
  map.insert({3, 0});
  tbb::parallel_invoke(
      [&] {
        map.find(3)->second = 1;  // race: A
      },
      [&] {
        use(map.find(3)->second);  // race: A
      });
  return 0;
}

int main() { return on_workers(run); }
