// prove: crash
// Whoever sleeps longer need not come later.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<int> last{0};

int main() {
  std::thread sooner([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    last = 1;
  });
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::seconds(10));
    last = 2;
  });
  sooner.join();
  later.join();
  assert(last == 2);
}
