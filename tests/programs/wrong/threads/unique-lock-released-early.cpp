// The unique_lock is unlocked to be polite, and the object is touched once more behind it by both threads.
// expect: race

#include <mutex>
#include <thread>

std::mutex lock;
int done, last;

static void work(int id) {
  std::unique_lock<std::mutex> guard(lock);
  done++;
  guard.unlock();
  last = id;  // race: A
}

int main() {
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
  return done != 2;
}
