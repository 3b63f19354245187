// prove: proved
// classes: 5
// assumptions: tries
// If the store comes before the load, the lock is tried before, in or behind the section; else in or behind it.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int> flag{0};

int main() {
  std::thread tries([] {
    flag.store(1);
    if (mutex.try_lock()) mutex.unlock();
  });
  mutex.lock();
  (void)flag.load();
  mutex.unlock();
  tries.join();
}
