// prove: crash
// The future may become ready before it is asked, or later: libstdc++ does it at the end of the thread.
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

int main() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&] { promise.set_value_at_thread_exit(); });
  if (future.wait_for(std::chrono::seconds(0)) == std::future_status::ready) std::abort();
  other.join();
}
