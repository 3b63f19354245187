// A thread that drops out of the barrier goes on writing; the others are past the barrier by then.
// expect: race

#include <barrier>
#include <thread>

std::barrier<> sync_point(2);
int prepared, leftover;

static void work() {
  prepared = 1;
  sync_point.arrive_and_drop();
  leftover = 2;  // race: A
}

int main() {
  std::thread thread(work);
  sync_point.arrive_and_wait();
  int sum = prepared;
  sum += leftover;  // race: A
  thread.join();
  return sum != 1 && sum != 3;
}
