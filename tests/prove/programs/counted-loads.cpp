// A loop of atomic loads, with a pause: it ends after two rounds, whatever others do. So the
// thread may come first, and then its write races.
// prove: race

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

int x = 0;
std::mutex m, n;
std::atomic<int> flag = 0;

int main() {
  std::thread first([] {
    for (int i = 0; i < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      if (flag.load() != 0) break;
    }
    {
      std::lock_guard outer(m);
      std::lock_guard inner(n);
    }
    x = 2;
  });
  std::thread second([] {
    std::lock_guard guard(m);
    x += 1;
  });
  first.join();
  second.join();
}
