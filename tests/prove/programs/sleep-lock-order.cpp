// prove: deadlock
// A cycle of locks, and a sleep beside it that makes it rare: time may pass at any moment.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::lock_guard second(b);
    std::lock_guard first(a);
  });
  {
    std::lock_guard first(a);
    std::lock_guard second(b);
  }
  other.join();
}
