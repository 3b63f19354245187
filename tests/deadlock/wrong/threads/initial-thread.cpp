// The initial thread takes part while the other one is alive.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b;

int main() {
  std::thread other([] {
    Turn turn(0);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A
  });
  {
    Turn turn(1);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);  // wants: A
  }
  other.join();
  return 0;
}
