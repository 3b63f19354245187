// Relaxed atomics order nothing, but they do not race with each other either; the join makes the sum final.
// expect: clean

#include <atomic>
#include <thread>

std::atomic<int> hits;
std::atomic<unsigned char> last;

static void work(unsigned char id) {
  for (int i = 0; i < 50; i++) hits.fetch_add(1, std::memory_order_relaxed);
  last.store(id, std::memory_order_relaxed);
}

int main() {
  std::thread one(work, 1), two(work, 2);
  int early = hits.load(std::memory_order_relaxed);
  one.join();
  two.join();
  return hits.load() != 100 || early > 100 || last == 0;
}
