// A cycle of three, and one of two that has an edge in common with it.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b, c;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);  // wants: A B
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
  std::thread four([] {
    Turn turn(3);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);  // wants: B
  });
  one.join();
  two.join();
  three.join();
  four.join();
  return 0;
}
