// prove: proved
// assumptions: atomics
// All that the thread has done happens before its future is ready, also what it did after the promise.
#include <cstdlib>
#include <future>
#include <thread>

int data = 0;

int main() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&] {
    promise.set_value_at_thread_exit();
    data = 1;
  });
  future.wait();
  if (data != 1) std::abort();
  other.join();
}
