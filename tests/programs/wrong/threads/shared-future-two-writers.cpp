// Two tasks wait for one shared future and then both write: the common predecessor does not order them.
// expect: race

#include <future>

int latest;

static void store(std::shared_future<int> start, int id) {
  latest = start.get() + id;  // race: A
}

int main() {
  std::promise<int> promise;
  std::shared_future<int> start = promise.get_future().share();
  auto one = std::async(std::launch::async, store, start, 1);
  auto two = std::async(std::launch::async, store, start, 2);
  promise.set_value(10);
  one.get();
  two.get();
  return latest != 11 && latest != 12;
}
