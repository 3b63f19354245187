// prove: race
// A relaxed flag orders nothing.
#include <atomic>
#include <thread>

std::atomic<bool> ready{false};
int data = 0;

int main() {
  std::thread producer([] {
    data = 42;
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread consumer([] {
    if (ready.load(std::memory_order_relaxed)) data += 1;
  });
  producer.join();
  consumer.join();
}
