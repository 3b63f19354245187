// prove: proved
// classes: 2
// Who yields may go on at once.
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread other([] {
    std::this_thread::yield();
    x = 1;
    std::this_thread::yield();
  });
  x = 2;
  other.join();
}
