// prove: proved
// classes: 24
// Four increments under one lock: every order is another one.
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int count = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      std::lock_guard guard(mutex);
      ++count;
    });
  for (auto& thread : threads) thread.join();
  return count != 4;
}
