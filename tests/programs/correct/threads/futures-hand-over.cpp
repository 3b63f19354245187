// async, promise, packaged_task and shared_future: get() orders all that came before the value was set.
// expect: clean

#include <future>
#include <thread>

int by_async, by_promise, by_task;

int main() {
  auto future = std::async(std::launch::async, [] { return by_async = 1; });
  int sum = future.get();
  sum += by_async;

  std::promise<void> promise;
  std::shared_future<void> kept = promise.get_future().share();
  std::thread keeper([&promise] {
    by_promise = 2;
    promise.set_value();
  });
  auto reader = std::async(std::launch::async, [kept] {
    kept.get();
    return by_promise;
  });
  kept.wait();
  sum += by_promise;
  sum += reader.get();
  keeper.join();

  std::packaged_task<int()> task([] { return by_task = 3; });
  auto result = task.get_future();
  std::thread runner(std::move(task));
  sum += result.get();
  sum += by_task;
  runner.join();
  return sum != 12;
}
