// A loop of critical sections that change nothing, with a pause: it ends after two rounds, whatever others do. So the
// thread may come first, and then its write races.
// prove: race

#include <chrono>
#include <mutex>
#include <thread>

int x = 0;
std::mutex m, n;

int main() {
  std::thread first([] {
    for (int i = 0; i < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      std::lock_guard guard(n);
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
