// An outer lock that one holds for reading and the other one for writing.

#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex outer;
std::mutex a, b;

int main() {
  std::thread one([] {
    std::shared_lock<std::shared_mutex> guard(outer);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  std::thread two([] {
    std::unique_lock<std::shared_mutex> guard(outer);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  });
  one.join();
  two.join();
  return 0;
}
