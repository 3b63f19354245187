// prove: proved
// assumptions: clocks spins wake-ups
// flags: -O0
// Waits for a while, again and again: it ends, whether it is signalled or only sees that it is time.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable there;
bool ready = false;
int data = 0;

int main() {
  std::thread other([] {
    data = 1;
    std::lock_guard guard(mutex);
    ready = true;
    there.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    while (!ready) there.wait_for(lock, std::chrono::milliseconds(1));
  }
  data = 2;
  other.join();
}
