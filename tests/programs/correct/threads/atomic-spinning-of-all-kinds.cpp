// Waiting by looking: for a flag that comes late, in turns, at a lock that counts the attempts, without a yield
// anywhere.
// expect: clean

#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> flag{false};
std::atomic<int> turn{0}, attempts{0};
std::atomic_flag busy = ATOMIC_FLAG_INIT;
long message, counted;

int main() {
  std::thread late([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    message = 7;
    flag.store(true, std::memory_order_release);
  });
  while (!flag.load(std::memory_order_acquire)) {
  }
  if (message != 7) return 1;
  late.join();

  auto takes_turns = [](int mine) {
    for (int i = 0; i < 100; ++i) {
      while (turn.load() != mine) {
      }
      turn.store(1 - mine);
    }
  };
  std::thread zero(takes_turns, 0), one(takes_turns, 1);
  zero.join();
  one.join();

  auto counts = [] {
    for (int i = 0; i < 500; ++i) {
      while (busy.test_and_set(std::memory_order_acquire)) attempts.fetch_add(1, std::memory_order_relaxed);
      ++counted;
      busy.clear(std::memory_order_release);
    }
  };
  std::thread a(counts), b(counts), c(counts);
  a.join();
  b.join();
  c.join();
  return counted == 1500 ? 0 : 2;
}
