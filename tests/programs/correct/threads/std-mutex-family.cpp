// recursive_mutex, timed_mutex and recursive_timed_mutex, by lock, try_lock and try_lock_for.
// expect: clean

#include <chrono>
#include <mutex>
#include <thread>

std::recursive_mutex recursive;
std::timed_mutex timed;
std::recursive_timed_mutex both;
int a, b, c;

static void work() {
  {
    std::lock_guard outer(recursive);
    std::unique_lock inner(recursive, std::try_to_lock);
    if (inner) inner.unlock();
    a++;
  }
  {
    std::unique_lock guard(timed, std::chrono::seconds(100));
    if (guard) b++;
  }
  {
    std::unique_lock guard(both, std::defer_lock);
    if (guard.try_lock_for(std::chrono::seconds(100))) c++;
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return a + b + c != 6;
}
