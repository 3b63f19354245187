// A heap block goes through an atomic pointer by exchange: whoever gets it owns it and frees it.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

struct Letter {
  int lines[4];
};
std::atomic<Letter*> mailbox;

static void post() {
  for (int i = 0; i < 5; i++) {
    Letter* letter = new Letter{{i, i, i, i}};
    Letter* expected = nullptr;
    while (!mailbox.compare_exchange_weak(expected, letter, std::memory_order_release)) {
      expected = nullptr;
      sched_yield();
    }
  }
}

int main() {
  std::thread thread(post);
  int sum = 0;
  for (int taken = 0; taken < 5; taken++) {
    Letter* letter;
    while (!(letter = mailbox.exchange(nullptr, std::memory_order_acquire))) sched_yield();
    sum += letter->lines[0] + letter->lines[3];
    delete letter;
  }
  thread.join();
  return sum != 20;
}
