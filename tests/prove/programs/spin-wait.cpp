// prove: proved
// assumptions: atomics spins
// Waits for a flag by looking at it again and again: there are not as many orders as looks.
#include <atomic>
#include <thread>

std::atomic<bool> ready{false};
int data = 0;

int main() {
  std::thread consumer([] {
    while (!ready.load(std::memory_order_acquire)) {
    }
    data += 1;
  });
  data = 42;
  ready.store(true, std::memory_order_release);
  consumer.join();
  return data != 43;
}
