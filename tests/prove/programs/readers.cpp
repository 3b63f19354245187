// prove: proved
// classes: 4
// One writer and two readers: each reader comes before the writer or after it, and readers do not exclude each other.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int data = 0, seen[2];

int main() {
  std::thread writer([] {
    std::unique_lock guard(mutex);
    data = 1;
  });
  auto read = [](int i) {
    std::shared_lock guard(mutex);
    seen[i] = data;
  };
  std::thread one(read, 0), two(read, 1);
  writer.join();
  one.join();
  two.join();
}
