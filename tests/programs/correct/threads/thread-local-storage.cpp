// Every thread has its own copy, also one with a constructor and a destructor.
// expect: clean

#include <atomic>
#include <thread>

std::atomic<int> sum;

struct Tally {
  int count = 0;
  ~Tally() { sum += count; }
};
thread_local Tally tally;
thread_local int plain;

static void work(int rounds) {
  for (int i = 0; i < rounds; i++) {
    tally.count++;
    plain += tally.count;
  }
}

int main() {
  std::thread one(work, 3), two(work, 4);
  work(5);
  one.join();
  two.join();
  return sum != 7 || tally.count != 5 || plain != 15;
}
