// prove: proved
// assumptions: spins
// Waits for a flag under a lock, and sleeps in between.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;
int data = 0;

int main() {
  std::thread consumer([] {
    for (;;) {
      {
        std::lock_guard guard(mutex);
        if (ready) break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    data += 1;
  });
  data = 42;
  {
    std::lock_guard guard(mutex);
    ready = true;
  }
  consumer.join();
}
