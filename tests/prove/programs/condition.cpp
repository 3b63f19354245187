// prove: proved
// assumptions: wake-ups
// A consumer that waits until the data is there, whoever comes first.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable there;
bool ready = false;
int data = 0;

int main() {
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    there.wait(lock, [] { return ready; });
    lock.unlock();
    data += 1;
  });
  data = 42;
  {
    std::lock_guard guard(mutex);
    ready = true;
  }
  there.notify_one();
  consumer.join();
  return data != 43;
}
