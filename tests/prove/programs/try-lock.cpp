// prove: race
// Only who finds the lock taken writes without it.
#include <mutex>
#include <thread>

std::mutex mutex;
int data = 0;

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
      data = 3;
    }
  });
  holder.join();
  other.join();
}
