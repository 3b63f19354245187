// Two threads take two mutexes in two orders.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
