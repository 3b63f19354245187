// Both hold an outer lock, but only for reading: it keeps nobody apart.
// expect: deadlock

#include <mutex>
#include <shared_mutex>
#include <thread>

#include "../../turns.hpp"

std::shared_mutex outer;
std::mutex a, b;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::shared_lock<std::shared_mutex> guard(outer);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A
  });
  std::thread two([] {
    Turn turn(1);
    std::shared_lock<std::shared_mutex> guard(outer);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
