// Readers share the lock, the writer has it alone; a shared_timed_mutex for the second datum.
// expect: clean

#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex first_lock;
std::shared_timed_mutex second_lock;
int first, second;

static void update() {
  std::unique_lock one(first_lock);
  first++;
  one.unlock();
  std::lock_guard two(second_lock);
  second++;
}

static void look(int& sum) {
  {
    std::shared_lock guard(first_lock);
    sum = first;
  }
  std::shared_lock guard(second_lock);
  sum += second;
}

int main() {
  int sum[2] = {};
  std::thread writer(update), one(look, std::ref(sum[0])), two(look, std::ref(sum[1]));
  writer.join();
  one.join();
  two.join();
  return sum[0] > 2 || sum[1] > 2 || first + second != 2;
}
