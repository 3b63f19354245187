// prove: crash
// The mutex is released by libstdc++, at the end of the thread; a replay has fewer cuts before that.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;

int main() {
  std::thread other([] {
    std::unique_lock lock(mutex);
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  const bool free = mutex.try_lock();
  if (free) mutex.unlock();
  other.join();
  if (!free) std::abort();
}
