// The second order only tries, or waits for some time.

#include <chrono>
#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::timed_mutex a, b;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::lock_guard<std::timed_mutex> first(a);
    std::lock_guard<std::timed_mutex> second(b);
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::timed_mutex> first(b);
    if (a.try_lock()) a.unlock();
  });
  std::thread three([] {
    Turn turn(2);
    std::lock_guard<std::timed_mutex> first(b);
    if (a.try_lock_for(std::chrono::milliseconds(1))) a.unlock();
  });
  one.join();
  two.join();
  three.join();
  return 0;
}
