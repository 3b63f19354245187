// prove: proved
// assumptions: atomics
// classes: 2
// Released and acquired: the data is there when the flag is.
#include <atomic>
#include <thread>

std::atomic<bool> ready{false};
int data = 0;

int main() {
  std::thread producer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  std::thread consumer([] {
    if (ready.load(std::memory_order_acquire)) data += 1;
  });
  producer.join();
  consumer.join();
}
