// prove: proved
// classes: 1
// The thread is created inside a critical section of the lock that it waits for.
#include <mutex>
#include <thread>

std::mutex mutex;
int count = 0;

int main() {
  std::thread other;
  {
    std::lock_guard guard(mutex);
    other = std::thread([] {
      std::lock_guard own(mutex);
      ++count;
    });
    ++count;
  }
  other.join();
}
