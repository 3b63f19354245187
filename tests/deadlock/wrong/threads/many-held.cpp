// A hundred locks are held when the one is wanted that the other thread has.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex locks[100], last;

int main() {
  std::thread one([] {
    Turn turn(0);
    for (std::mutex& each : locks) each.lock();
    last.lock();  // wants: A
    last.unlock();
    for (std::mutex& each : locks) each.unlock();
  });
  std::thread two([] {
    Turn turn(1);
    std::lock_guard<std::mutex> first(last);
    std::lock_guard<std::mutex> second(locks[50]);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
