// prove: race
// Figure 1 of the computation-graph paper: the two writes race only if the child's empty section comes first.
#include <mutex>
#include <thread>

std::mutex mutex;
int g = 0;

int main() {
  std::thread child([] {
    { std::lock_guard guard(mutex); }
    g = 2;
  });
  {
    std::lock_guard guard(mutex);
    g = 1;
  }
  child.join();
}
