// prove: race
// Only who waits for the lock for too long writes without it.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int data = 0;

int main() {
  std::thread holder([] {
    std::lock_guard guard(mutex);
    data = 1;
  });
  if (mutex.try_lock_for(std::chrono::hours(1))) {
    data = 2;
    mutex.unlock();
  } else {
    data = 3;
  }
  holder.join();
}
