// An atomic structure of 24 bytes, whose operations are calls of libatomic: relaxed ones order nothing, whatever that
// locks inside; and a plain read races with them.
// expect: race
// flags: -latomic

#include <atomic>
#include <thread>

struct Wide {
  long at[3];
};
std::atomic<Wide> mailbox, other;
int data, sum;

int main() {
  std::thread sender([] {
    data = 1;  // race: A
    mailbox.store({1, 2, 3}, std::memory_order_relaxed);
    other.exchange({1, 2, 3});  // race: B
  });
  while (mailbox.load(std::memory_order_acquire).at[2] == 0) std::this_thread::yield();
  sum += data;                                                   // race: A
  sum += static_cast<int>(reinterpret_cast<long&>(other));  // race: B
  sender.join();
  return sum == 77;
}
