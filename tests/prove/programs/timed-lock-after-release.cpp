// prove: race
// The race is there only if the lock is free again when it is tried, so a replay has to wait for its release.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int data = 0;

int main() {
  std::thread first([] {
    if (mutex.try_lock_for(std::chrono::milliseconds(1))) {
      data += 1;
      mutex.unlock();
    }
  });
  mutex.lock();
  mutex.unlock();
  std::thread second([] { data = 2; });
  first.join();
  second.join();
}
