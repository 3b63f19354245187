// prove: crash
// Between its look and its wait, a futex may change: then it does not wait.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> word{0};

int main() {
  std::thread waits([] {
    if (word != 0) return;
    std::this_thread::yield();
    const long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
    assert(result == 0);
  });
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  waits.join();
}
