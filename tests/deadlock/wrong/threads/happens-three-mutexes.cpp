// Three threads wait for each other's mutexes, and never get them.
// expect: deadlock
// happens: yes
// length: 3

#include <mutex>
#include <thread>

#include "../../happens.hpp"

std::mutex forks[3];

int main() {
  end_when_all_wait(3);
  std::thread eaters[3];
  for (int i = 0; i < 3; ++i)
    eaters[i] = std::thread([i] {
      std::lock_guard<std::mutex> left(forks[i]);
      everybody_has_one(3);
      std::lock_guard<std::mutex> right(forks[(i + 1) % 3]);  // wants: A
    });
  for (std::thread& eater : eaters) eater.join();
  return 0;
}
