// prove: race
// The pointer is looked at without the lock first.
#include <mutex>
#include <thread>

std::mutex mutex;
int* pointer = nullptr;

int get() {
  if (!pointer) {
    std::lock_guard guard(mutex);
    if (!pointer) pointer = new int(1);
  }
  return *pointer;
}

int main() {
  std::thread one(get), two(get);
  one.join();
  two.join();
}
