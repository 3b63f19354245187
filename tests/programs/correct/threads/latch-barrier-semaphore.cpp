// The C++20 trio: a latch opens the work, a barrier separates its phases, a semaphore tells the end.
// expect: clean

#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>

std::latch gate(1);
int completed;
std::barrier phase(2, []() noexcept { completed++; });
std::counting_semaphore<2> done(0);
int input, part[2], sum[2];

static void work(int self) {
  gate.wait();
  part[self] = input + self;
  phase.arrive_and_wait();
  sum[self] = part[0] + part[1];
  phase.arrive_and_wait();
  part[self] = 0;
  done.release();
}

int main() {
  std::jthread one(work, 0), two(work, 1);
  input = 10;
  gate.count_down();
  done.acquire();
  done.acquire();
  return sum[0] != 21 || sum[1] != 21 || part[0] != 0 || part[1] != 0 || completed != 2;
}
