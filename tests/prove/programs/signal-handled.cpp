// prove: proved
// assumptions: signals
// When a signal is handled is open.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>

std::atomic<int> handled{0};

int main() {
  signal(SIGUSR1, [](int) { handled = 1; });
  std::thread other([] {});
  raise(SIGUSR1);
  other.join();
  return handled != 1;
}
