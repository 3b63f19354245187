// prove: proved
// classes: 2
// assumptions: clocks
// What it does depends on the clock.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int count = 0;

int main() {
  const int step = std::chrono::steady_clock::now().time_since_epoch().count() % 2 == 0 ? 1 : 2;
  auto add = [=] {
    std::lock_guard guard(mutex);
    count += step;
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
}
