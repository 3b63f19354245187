// prove: proved
// assumptions: tries
// classes: 3
// Before, inside of and after the other's section.
#include <mutex>
#include <thread>

std::mutex mutex;
int data = 0, missed = 0;

int main() {
  std::thread holder([] {
    std::lock_guard guard(mutex);
    data = 1;
  });
  std::thread other([] {
    if (mutex.try_lock()) {
      data = 2;
      mutex.unlock();
    } else {
      missed = 1;
    }
  });
  holder.join();
  other.join();
}
