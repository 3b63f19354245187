// A wait with its own mutex only, and an order of locks that is kept.

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex outer, inner;
std::condition_variable condition;
bool ready;

int main() {
  std::thread one([] {
    std::unique_lock<std::mutex> guard(inner);
    condition.wait(guard, [] { return ready; });
  });
  std::thread two([] {
    std::lock_guard<std::mutex> first(outer);
    std::lock_guard<std::mutex> second(inner);
    ready = true;
    condition.notify_all();
  });
  one.join();
  two.join();
  return 0;
}
