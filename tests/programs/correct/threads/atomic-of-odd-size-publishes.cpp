// Atomic structures of 24 and of 3 bytes, whose operations are calls of libatomic, release and acquire.
// expect: clean
// flags: -latomic

#include <atomic>
#include <thread>

struct Wide {
  long at[3];
};
struct Small {
  char at[3];
};
std::atomic<Wide> stored, exchanged, compared;
std::atomic<Small> small;
int data[4];

int main() {
  std::thread sender([] {
    data[0] = 1;
    stored.store({1, 2, 3}, std::memory_order_release);
    data[1] = 2;
    exchanged.exchange({1, 2, 3}, std::memory_order_acq_rel);
    data[2] = 3;
    Wide none{};
    while (!compared.compare_exchange_weak(none, {1, 2, 3}, std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
    data[3] = 4;
    small.store({1, 2, 3});
  });
  int sum = 0;
  while (stored.load(std::memory_order_acquire).at[2] == 0) std::this_thread::yield();
  sum += data[0];
  while (exchanged.load(std::memory_order_acquire).at[2] == 0) std::this_thread::yield();
  sum += data[1];
  Wide wanted{{1, 2, 3}};
  while (!compared.compare_exchange_strong(wanted, {4, 5, 6}, std::memory_order_acquire,
                                           std::memory_order_relaxed))
    wanted = {1, 2, 3};
  sum += data[2];
  while (small.load().at[2] == 0) std::this_thread::yield();
  sum += data[3];
  sender.join();
  return sum != 10;
}
