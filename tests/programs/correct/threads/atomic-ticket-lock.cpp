// A ticket lock: tickets are drawn relaxed, but the turn is passed on by release and awaited by acquire.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

std::atomic<unsigned> next_ticket, turn;
int counter;

static void work() {
  for (int i = 0; i < 10; i++) {
    unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (turn.load(std::memory_order_acquire) != mine) sched_yield();
    counter++;
    turn.store(mine + 1, std::memory_order_release);
  }
}

int main() {
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
  return counter != 30;
}
