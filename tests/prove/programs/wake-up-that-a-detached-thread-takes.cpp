// prove: deadlock
// The only wake-up may reach the detached thread, and then main waits forever; else the process ends without that one.
#include <condition_variable>
#include <mutex>
#include <thread>

bool ready = false;
std::mutex mutex;
std::condition_variable condition;

void wait_until_ready() {
  std::unique_lock lock(mutex);
  while (!ready) condition.wait(lock);
}

int main() {
  std::thread waits(wait_until_ready);
  std::thread notifies([] {
    mutex.lock();
    ready = true;
    mutex.unlock();
    condition.notify_one();
  });
  waits.detach();
  notifies.detach();
  wait_until_ready();
}
