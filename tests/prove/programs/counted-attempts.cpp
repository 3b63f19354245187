// Three attempts to see a flag, under a lock and with a pause. In each order that is explored the flag is set in the
// end, so no execution shows that the loop would end without it. The proof names what it assumes of it.
// prove: proved
// classes: 2
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
  for (int i = 0; i < 3; ++i) {
    {
      std::lock_guard guard(m);
      if (set) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  sets.join();
}
