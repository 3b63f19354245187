// Two orders of two locks, all for reading.

#include <shared_mutex>
#include <thread>

std::shared_mutex a, b;

int main() {
  std::thread one([] {
    std::shared_lock<std::shared_mutex> first(a);
    std::shared_lock<std::shared_mutex> second(b);
  });
  std::thread two([] {
    std::shared_lock<std::shared_mutex> first(b);
    std::shared_lock<std::shared_mutex> second(a);
  });
  one.join();
  two.join();
  return 0;
}
