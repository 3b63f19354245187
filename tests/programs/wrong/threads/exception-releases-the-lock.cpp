// Unwinding releases the lock before the handler runs: what the handler writes is unguarded.
// expect: race

#include <mutex>
#include <thread>

std::mutex lock;
int attempts, failures;

static void attempt() {
  std::lock_guard<std::mutex> guard(lock);
  attempts++;
  throw 1;
}

static void work() {
  try {
    attempt();
  } catch (int) {
    failures++;  // race: A
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return attempts != 2;
}
