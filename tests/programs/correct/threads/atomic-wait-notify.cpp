// atomic::wait returns when it has seen another value, with the order of its load.
// expect: clean

#include <atomic>
#include <thread>

std::atomic<int> stage;
int data;

int main() {
  std::thread thread([] {
    stage.wait(0, std::memory_order_acquire);
    data *= 2;
    stage.store(2, std::memory_order_release);
    stage.notify_all();
  });
  data = 21;
  stage.store(1, std::memory_order_release);
  stage.notify_one();
  stage.wait(1, std::memory_order_acquire);
  int seen = data;
  thread.join();
  return seen != 42;
}
