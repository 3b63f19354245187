// prove: proved
// assumptions: spins tries
// Tries a lock until it gets it.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int data = 0;

void add() {
  while (!mutex.try_lock()) std::this_thread::sleep_for(std::chrono::microseconds(10));
  ++data;
  mutex.unlock();
}

int main() {
  std::thread other(add);
  add();
  other.join();
  return data != 2;
}
