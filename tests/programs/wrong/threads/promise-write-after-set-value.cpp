// The promise is kept first, the record completed afterwards; the waiter reads it meanwhile. (wait, not get:
// get drops the shared state, whose count would order it if the producer had dropped it before.)
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
  future.wait();
  int seen = record;  // race: A
  thread.join();
  return future.get() != 1 || (seen != 0 && seen != 2);
}
