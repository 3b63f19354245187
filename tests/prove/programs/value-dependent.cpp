// prove: race
// Whoever finds the flag writes: that happens in one of the two orders.
#include <mutex>
#include <thread>

std::mutex mutex;
int flag = 0, data = 0;

int main() {
  std::thread first([] {
    std::lock_guard guard(mutex);
    flag = 1;
  });
  std::thread second([] {
    bool set;
    {
      std::lock_guard guard(mutex);
      set = flag;
    }
    if (set) data = 1;
  });
  data = 2;
  first.join();
  second.join();
}
