// Who waits for a condition keeps another lock, and cannot take its mutex back from whoever wants that one. Nothing
// is predicted: nobody has come so far as to take it back.
// expect: deadlock
// happens: yes

#include <condition_variable>
#include <mutex>
#include <thread>

#include "../../happens.hpp"

std::mutex outer, inner;
std::condition_variable condition;

int main() {
  end_when_all_wait(2);
  std::thread one([] {
    std::unique_lock<std::mutex> first(inner);
    std::lock_guard<std::mutex> second(outer);
    everybody_has_one(1);
    condition.wait(first);  // wants: A
  });
  std::thread two([] {
    while (have_arrived.load(std::memory_order_relaxed) < 1) sched_yield();
    std::lock_guard<std::mutex> first(inner);
    everybody_has_one(2);
    std::lock_guard<std::mutex> second(outer);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
