// prove: proved
// assumptions: clocks
// Nobody who knows of another sees time go back, and a sleep takes as long as it says.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;

std::mutex mutex;
Clock::time_point stamp;
std::atomic<bool> stamped{false};

int main() {
  const auto start = Clock::now();
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    std::lock_guard guard(mutex);
    stamp = Clock::now();
    stamped = true;
  });
  if (stamped) {
    std::lock_guard guard(mutex);
    assert(Clock::now() >= stamp);
  }
  other.join();
  assert(Clock::now() >= start + std::chrono::seconds(5));
}
