// prove: race
// The flag is set before the data is there.
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;
int data = 0;

int main() {
  std::thread producer([] {
    {
      std::lock_guard guard(mutex);
      ready = true;
    }
    data = 42;
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
