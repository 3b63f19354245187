// prove: crash
// notify_one of an atomic variable wakes one of those that wait for it, whichever.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ticket{0};
std::atomic<int> done{0};

int main() {
  auto wait = [](int who) {
    ticket.wait(0);
    const int place = done.fetch_add(1);
    if (place == 0) assert(who == 1);
    ticket.notify_one();
  };
  std::thread one(wait, 1), two(wait, 2);
  ticket = 1;
  ticket.notify_one();
  one.join();
  two.join();
}
