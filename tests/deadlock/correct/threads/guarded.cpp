// Two orders inside a common outer lock: they never meet.

#include <mutex>
#include <thread>

std::mutex gate, a, b;

int main() {
  std::thread one([] {
    std::lock_guard<std::mutex> guard(gate);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  std::thread two([] {
    std::lock_guard<std::mutex> guard(gate);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  });
  one.join();
  two.join();
  return 0;
}
