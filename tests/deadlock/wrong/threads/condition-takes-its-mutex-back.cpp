// A wait gives its mutex back and takes it again, while another one is held.
// expect: deadlock

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex outer, inner;
std::condition_variable condition;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::unique_lock<std::mutex> first(inner);
    std::lock_guard<std::mutex> second(outer);
    condition.wait_for(first, std::chrono::milliseconds(1));  // wants: A
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::mutex> first(inner);
    std::lock_guard<std::mutex> second(outer);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
