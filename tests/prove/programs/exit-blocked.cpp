// prove: proved
// classes: 2
// assumptions: wake-ups
// A thread that waits for something that never comes when main ends is no deadlock.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable there;
bool ready = false;
int data = 0;

int main() {
  std::thread([] {
    std::unique_lock lock(mutex);
    there.wait(lock, [] { return ready; });
    ++data;
  }).detach();
  std::lock_guard guard(mutex);
  ++data;
}
