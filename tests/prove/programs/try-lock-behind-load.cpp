// prove: crash
// The check fails only if the store and the failed try come between the load and the release of the lock.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int> flag{0};
bool failed = false;

int main() {
  std::thread tries([] {
    flag.store(1);
    failed = !mutex.try_lock();
    if (!failed) mutex.unlock();
  });
  mutex.lock();
  bool early = flag.load() == 0;
  mutex.unlock();
  tries.join();
  if (early && failed) abort();
}
