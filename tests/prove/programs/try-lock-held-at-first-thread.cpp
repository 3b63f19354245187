// prove: crash
// Main holds the lock already when it creates its first thread, whose try may come before the release.
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
bool failed = false;

int main() {
  mutex.lock();
  std::thread tries([] {
    failed = !mutex.try_lock();
    if (!failed) mutex.unlock();
  });
  mutex.unlock();
  tries.join();
  if (failed) abort();
}
