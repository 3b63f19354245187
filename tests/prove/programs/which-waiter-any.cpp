// prove: race
// Of two that wait, notify_one of a std::condition_variable_any wakes either: also the one that came later, which
// touches what main does.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable_any there;
int waiting = 0, permits = 0;
int data = 0;

int main() {
  auto wait = [] {
    std::unique_lock lock(mutex);
    const bool second = ++waiting == 2;
    there.wait(lock, [] { return permits > 0; });
    const bool alone = --permits == 0 && waiting == 2;
    waiting = 0;
    lock.unlock();
    if (second && alone) ++data;
    there.notify_one();
  };
  std::thread one(wait), two(wait);
  bool both;
  {
    std::lock_guard guard(mutex);
    both = waiting == 2;
    permits = both ? 1 : 2;
  }
  there.notify_one();
  if (both) ++data;
  {
    std::lock_guard guard(mutex);
    permits = 2;
  }
  there.notify_all();
  one.join();
  two.join();
}
