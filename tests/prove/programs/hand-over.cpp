// prove: proved
// classes: 2
// Data written before a flag under a lock, read after the flag was seen.
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;
int data = 0;

int main() {
  std::thread producer([] {
    data = 42;
    std::lock_guard guard(mutex);
    ready = true;
  });
  std::thread consumer([] {
    bool seen;
    {
      std::lock_guard guard(mutex);
      seen = ready;
    }
    if (seen) data += 1;
  });
  producer.join();
  consumer.join();
}
