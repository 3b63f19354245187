// The same two orders ten thousand times: one cycle, told once.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b;

int main() {
  std::thread one([] {
    Turn turn(0);
    for (int i = 0; i < 10000; ++i) {
      std::lock_guard<std::mutex> first(a);
      std::lock_guard<std::mutex> second(b);  // wants: A
    }
  });
  std::thread two([] {
    Turn turn(1);
    for (int i = 0; i < 10000; ++i) {
      std::lock_guard<std::mutex> first(b);
      std::lock_guard<std::mutex> second(a);  // wants: A
    }
  });
  one.join();
  two.join();
  return 0;
}
