// The promise is kept first and the record completed afterwards: the future's owner reads it meanwhile.
// expect: race

#include <future>
#include <thread>

int record;

static void produce(std::promise<int> promise) {
  promise.set_value(1);
  record = 2;  // race: A
}

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread thread(produce, std::move(promise));
  int sum = future.get();
  sum += record;  // race: A
  thread.join();
  return sum != 1 && sum != 3;
}
