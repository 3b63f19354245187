// prove: race
// What is written between the unlock and the notification races with the waiter, whom that notification woke.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived, changed;
bool waiting = false, ready = false;
int data = 0;

int main() {
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    waiting = true;
    arrived.notify_one();
    changed.wait(lock, [] { return ready; });
    lock.unlock();
    data += 1;
  });
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [] { return waiting; });
    ready = true;
  }
  data = 42;
  changed.notify_one();
  consumer.join();
  return data == 0;
}
