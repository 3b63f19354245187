// A thread has the address of a local struct; it and the creator change different fields, and one under a lock.

#include <functional>
#include <mutex>
#include <thread>

struct Shared {
  std::mutex mutex;
  int common = 0;
  int of_thread = 0;
  int of_creator[4] = {};
};

static void change(Shared& shared) {
  shared.of_thread += 1;
  std::lock_guard guard(shared.mutex);
  shared.common += 1;
}

int main() {
  Shared shared;
  shared.common = 1;
  std::thread other(change, std::ref(shared));
  shared.of_creator[2] += 1;
  {
    std::lock_guard guard(shared.mutex);
    shared.common += 1;
  }
  other.join();
  return shared.of_thread + shared.common + shared.of_creator[2] == 5 ? 0 : 1;
}
