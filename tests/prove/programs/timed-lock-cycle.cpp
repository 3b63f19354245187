// prove: proved
// assumptions: clocks tries
// A cycle of locks, one of which is given up in time: no deadlock.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex a, b;

int main() {
  std::thread other([] {
    std::unique_lock second(b);
    std::unique_lock first(a, std::chrono::milliseconds(1));
  });
  {
    std::lock_guard first(a);
    std::lock_guard second(b);
  }
  other.join();
}
