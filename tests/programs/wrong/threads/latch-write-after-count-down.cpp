// The worker counts the latch down before its last write, so the waiter does not get that one.
// expect: race

#include <latch>
#include <thread>

std::latch done(1);
int before, after;

static void work() {
  before = 1;
  done.count_down();
  after = 2;  // race: A
}

int main() {
  std::thread thread(work);
  done.wait();
  int sum = before;
  sum += after;  // race: A
  thread.join();
  return sum != 1 && sum != 3;
}
