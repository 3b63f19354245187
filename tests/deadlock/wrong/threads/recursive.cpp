// A recursive mutex that is taken again does not hide the order of the first time.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::recursive_mutex a;
std::mutex b;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::lock_guard<std::recursive_mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A
    std::lock_guard<std::recursive_mutex> again(a);
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::recursive_mutex> second(a);  // wants: A
    std::lock_guard<std::recursive_mutex> again(a);
  });
  one.join();
  two.join();
  return 0;
}
