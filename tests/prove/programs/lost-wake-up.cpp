// prove: deadlock
// Nobody remembers the notification: if it comes before the wait, the wait never ends.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable there;

int main() {
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    there.wait(lock);
  });
  there.notify_one();
  consumer.join();
}
