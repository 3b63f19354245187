// prove: crash
// It may be signalled in time, or too late, whatever the clock says.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable there;
bool ready = false;

int main() {
  std::thread other([] {
    std::lock_guard guard(mutex);
    ready = true;
    there.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!ready) there.wait_for(lock, std::chrono::hours(1));
    assert(ready);
  }
  other.join();
}
