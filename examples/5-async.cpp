// Two halves of an array are added up by tasks of heddle/async.hpp. The result is used inside the finish, where the
// task may still be running. Compile with -DFIXED to use it behind the finish.
//
//   heddle c++ -O2 -std=c++20 5-async.cpp -o async && heddle run ./async
//   c++ -O2 -std=c++20 5-async.cpp -ltbb                                    (in production: on oneTBB)
#include <heddle/async.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  const std::vector<long> numbers(1000, 1);
  long left = 0, right = 0, total = 0;
  heddle::finish([&] {
    heddle::async([&] { left = std::accumulate(numbers.begin(), numbers.begin() + 500, 0L); });
    right = std::accumulate(numbers.begin() + 500, numbers.end(), 0L);
#ifndef FIXED
    total = left + right;
#endif
  });
#ifdef FIXED
  total = left + right;
#endif
  std::printf("%ld\n", total);
}
