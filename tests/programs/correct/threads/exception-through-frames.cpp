// Exceptions leave several frames, release locks on the way, are caught and rethrown; the lock still guards.
// expect: clean

#include <mutex>
#include <thread>

std::mutex lock;
int depth_reached, caught;

static void dive(int depth) {
  if (depth == 0) throw depth_reached;
  dive(depth - 1);
}

static void guarded() {
  std::lock_guard<std::mutex> guard(lock);
  depth_reached++;
  try {
    dive(4);
  } catch (int) {
    caught++;
    throw;
  }
}

static void work() {
  for (int i = 0; i < 5; i++) {
    try {
      guarded();
    } catch (int) {
      std::lock_guard<std::mutex> guard(lock);
      caught++;
    }
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return depth_reached != 10 || caught != 20;
}
