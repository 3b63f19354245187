// What the initial thread locks before there is another is no step of the schedule that shows the race.
// prove: race

#include <mutex>
#include <thread>

std::mutex mutex;
int value;

int main() {
  {
    std::lock_guard lock(mutex);
    value = 1;
  }
  std::thread other([] {
    std::lock_guard lock(mutex);
    value *= 2;
  });
  {
    std::lock_guard lock(mutex);
    value += 5;
  }
  ++value;
  other.join();
  return value == 0;
}
