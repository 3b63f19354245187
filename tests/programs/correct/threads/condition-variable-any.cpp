// condition_variable and condition_variable_any (over a shared lock) hand a value on, in a chain of two.
// expect: clean

#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
std::shared_mutex shared_lock;
std::condition_variable_any any_changed;
bool first_ready, second_ready;
int value;

static void first() {
  value = 1;
  {
    std::lock_guard guard(lock);
    first_ready = true;
  }
  changed.notify_one();
}

static void second() {
  {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return first_ready; });
  }
  value *= 10;
  std::lock_guard guard(shared_lock);
  second_ready = true;
  any_changed.notify_all();
}

int main() {
  std::thread one(first), two(second);
  {
    std::shared_lock guard(shared_lock);
    any_changed.wait(guard, [] { return second_ready; });
  }
  value++;
  int seen = value;
  one.join();
  two.join();
  return seen != 11;
}
