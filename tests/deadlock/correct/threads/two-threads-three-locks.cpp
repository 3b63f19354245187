// Two threads of the same code go round three locks: a cycle of three would need a third thread.

#include <mutex>
#include <thread>

std::mutex locks[3];

void work() {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> first(locks[i]);
    std::lock_guard<std::mutex> second(locks[(i + 1) % 3]);
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return 0;
}
