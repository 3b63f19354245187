// Each thread writes its slot and counts itself in by an acq_rel fetch_add; the last to arrive reads all.
// expect: clean

#include <atomic>
#include <thread>

int slot[3];
std::atomic<int> arrived;
int sum;

static void work(int self) {
  slot[self] = self + 1;
  if (arrived.fetch_add(1, std::memory_order_acq_rel) == 2) sum = slot[0] + slot[1] + slot[2];
}

int main() {
  std::thread one(work, 0), two(work, 1), three(work, 2);
  one.join();
  two.join();
  three.join();
  return sum != 6;
}
