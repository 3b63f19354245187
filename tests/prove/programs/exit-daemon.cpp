// prove: undecided
// A thread that looks after something forever: an exploration of what main does meanwhile comes to an end
// nevertheless.
#include <mutex>
#include <thread>

std::mutex mutex, others;
long beats = 0, work = 0;

int main() {
  std::thread([] {
    for (;;) {
      std::lock_guard guard(mutex);
      ++beats;
    }
  }).detach();
  std::thread worker([] {
    std::lock_guard guard(others);
    ++work;
  });
  {
    std::lock_guard guard(others);
    ++work;
  }
  worker.join();
}
