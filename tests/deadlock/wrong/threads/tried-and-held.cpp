// What was got by trying is held like anything else.
// expect: deadlock

#include <mutex>
#include <thread>

#include "../../turns.hpp"

std::mutex a, b;

int main() {
  std::thread one([] {
    Turn turn(0);
    if (!a.try_lock()) return;
    b.lock();  // wants: A
    b.unlock();
    a.unlock();
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
