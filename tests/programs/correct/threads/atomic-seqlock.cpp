// A sequence lock whose payload is atomic too: readers may see it torn, and then try again; nothing races.
// expect: clean

#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;

static void update() {
  for (int i = 1; i <= 10; i++) {
    unsigned at = sequence.load(std::memory_order_relaxed);
    sequence.store(at + 1);
    left.store(i);
    right.store(-i);
    sequence.store(at + 2);
  }
}

static bool look(int& sum) {
  unsigned before = sequence.load();
  sum = left.load() + right.load();
  return before % 2 == 0 && sequence.load() == before;
}

int main() {
  std::thread writer(update);
  int torn = 0;
  for (int i = 0; i < 10; i++) {
    int sum;
    if (look(sum)) torn += sum != 0;
  }
  writer.join();
  return torn;
}
