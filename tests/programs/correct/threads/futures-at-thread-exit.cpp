// set_value_at_thread_exit: the future is ready when the thread ends, so it orders what the thread did later, too.
// expect: clean

#include <future>
#include <thread>

int before, after, by_task;

int main() {
  std::promise<void> promise;
  auto ready = promise.get_future();
  std::thread keeper([&promise] {
    before = 1;
    promise.set_value_at_thread_exit();
    after = 2;
  });
  ready.wait();
  int sum = before + after;
  keeper.detach();

  std::packaged_task<int()> task([] { return by_task = 3; });
  auto result = task.get_future();
  std::thread runner([&task] {
    task.make_ready_at_thread_exit();
    by_task += 4;
  });
  sum += result.get();
  sum += by_task;
  runner.join();
  return sum != 13;
}
