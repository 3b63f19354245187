// prove: proved
// classes: 2
// Two locks, always in the same order.
#include <mutex>
#include <thread>

std::mutex a, b;
int x = 0;

int main() {
  auto work = [] {
    std::lock_guard one(a);
    std::lock_guard two(b);
    ++x;
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}
