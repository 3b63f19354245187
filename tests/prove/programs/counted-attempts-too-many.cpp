// More attempts than are repeated at once: the rest of them wait for another thread, and the proof says so.
// prove: proved
// assumptions: spins

#include <chrono>
#include <mutex>
#include <thread>

bool set = false;
std::mutex m;

int main() {
  std::thread sets([] {
    std::lock_guard guard(m);
    set = true;
  });
  for (int i = 0; i < 30; ++i) {
    {
      std::lock_guard guard(m);
      if (set) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  sets.join();
}
