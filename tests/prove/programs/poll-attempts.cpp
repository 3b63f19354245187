// prove: crash
// assumptions: spins
// Three attempts, and then it gives up: a poll that is repeated goes on when nobody else can, and this one holds what
// they need.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> ready{false};

int main() {
  std::thread other([] {
    std::lock_guard guard(mutex);
    ready = true;
  });
  {
    std::lock_guard guard(mutex);
    bool seen = false;
    for (int i = 0; i < 3 && !seen; ++i) seen = ready.load();
    assert(seen);
  }
  other.join();
}
