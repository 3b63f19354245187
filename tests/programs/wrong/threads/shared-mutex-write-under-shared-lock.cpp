// std::shared_lock lets both threads in; both write.
// expect: race

#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int cached_length;

static void refresh(int length) {
  std::shared_lock<std::shared_mutex> guard(lock);
  cached_length = length;  // race: A
}

int main() {
  std::thread one(refresh, 1), two(refresh, 2);
  one.join();
  two.join();
  return cached_length == 0;
}
