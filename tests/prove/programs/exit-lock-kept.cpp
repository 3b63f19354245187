// prove: crash
// main ends with the lock held, so the thread only comes to its assertion if it is first. That main keeps it from
// going on is no deadlock.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int number = 0;

int main() {
  std::thread([] {
    mutex.lock();
    assert(number != 0);
  }).detach();
  mutex.lock();
  number = 1;
}
