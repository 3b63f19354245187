// Each of three threads has one mutex and wants the next one's.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b, c;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(c);  // wants: A
  });
  std::thread three([] {
    Turn turn(2);
    std::lock_guard<std::mutex> first(c);
    std::lock_guard<std::mutex> second(a);  // wants: A
  });
  one.join();
  two.join();
  three.join();
  return 0;
}
