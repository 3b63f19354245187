// prove: race
// The other thread ends the process. What was done before is in its schedule, and a replay does it first, too.
#include <cstdlib>
#include <thread>

long value = 0;

int main() {
  std::thread other([] {
    value = 1;
    std::abort();
  });
  const long seen = value;
  std::this_thread::yield();
  other.join();
  return static_cast<int>(seen);
}
