// prove: proved
// classes: 1
// Three sections of one lock that have nothing to say to each other: one order stands for all.
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int slots[3];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([i] {
      std::lock_guard guard(mutex);
      slots[i] = i;
    });
  for (auto& thread : threads) thread.join();
}
