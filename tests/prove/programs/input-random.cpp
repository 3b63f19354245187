// prove: proved
// classes: 2
// assumptions: input
// What it does depends on a random number of the system.
#include <random>
#include <mutex>
#include <thread>

std::mutex mutex;
int count = 0;

int main() {
  const int step = std::random_device()() == 0 ? 1 : 2;
  auto add = [=] {
    std::lock_guard guard(mutex);
    count += step;
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
}
