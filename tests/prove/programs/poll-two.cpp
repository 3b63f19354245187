// prove: proved
// assumptions: spins
// A loop that looks at two variables in turn, until one of them has changed.
#include <atomic>
#include <thread>

std::atomic<int> first{0}, second{0};

int main() {
  std::thread poller([] {
    while (first.load() == 0 && second.load() == 0) std::this_thread::yield();
  });
  std::thread other([] { second.store(1); });
  first.store(1);
  poller.join();
  other.join();
}
