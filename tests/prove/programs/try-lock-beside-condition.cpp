// prove: crash
// The try fails before the wait begins, and the notification comes after it: the wait releases its mutex in one step.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
bool failed = false, woken = false;

int main() {
  std::thread notifies([] {
    failed = !mutex.try_lock();
    if (!failed) mutex.unlock();
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    woken = condition.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::no_timeout;
  }
  notifies.join();
  if (failed && woken) abort();
}
