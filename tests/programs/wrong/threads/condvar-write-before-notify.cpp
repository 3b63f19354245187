// The data is written after the unlock, just before the notification. That orders nothing: the waiter may wake up
// by itself, or find the flag set without waiting.
// expect: race

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived, changed;
bool waiting = false, ready = false;
int data = 0;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(mutex);
    waiting = true;
    arrived.notify_one();
    changed.wait(lock, [] { return ready; });
    lock.unlock();
    int seen = data;  // race: A
    asm volatile("" : : "r"(seen));
  });
  std::unique_lock<std::mutex> lock(mutex);
  arrived.wait(lock, [] { return waiting; });
  ready = true;
  lock.unlock();
  data = 42;  // race: A
  changed.notify_one();
  consumer.join();
  return 0;
}
