// prove: proved
// classes: 6
// Three atomic increments.
#include <atomic>
#include <thread>
#include <vector>

std::atomic<int> count{0};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { ++count; });
  for (auto& thread : threads) thread.join();
  return count != 3;
}
