// prove: proved
// classes: 2
// Sleeps touch nothing: there are as many orders as without them.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread other([] {
    for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    x = 1;
  });
  for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  x = 2;
  other.join();
}
