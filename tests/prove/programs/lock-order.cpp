// prove: deadlock
// Two locks, taken in either order.
#include <mutex>
#include <thread>

std::mutex a, b;
int x = 0;

int main() {
  std::thread first([] {
    std::lock_guard one(a);
    std::lock_guard two(b);
    ++x;
  });
  std::thread second([] {
    std::lock_guard one(b);
    std::lock_guard two(a);
    ++x;
  });
  first.join();
  second.join();
}
