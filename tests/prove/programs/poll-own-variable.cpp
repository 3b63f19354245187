// prove: proved
// assumptions: spins
// What is polled lies on the stack of the one who polls, beside a counter that only it changes.
#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  bool ready = false;
  int data = 0, tries = 0;
  std::thread producer([&] {
    data = 42;
    std::lock_guard guard(mutex);
    ready = true;
  });
  for (;;) {
    {
      std::lock_guard guard(mutex);
      ++tries;
      if (ready) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  data += 1;
  producer.join();
  return data != 43 || tries == 0;
}
