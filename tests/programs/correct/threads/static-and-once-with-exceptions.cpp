// Things that are done once while others wait for them: a routine that fails twice first, a local static whose
// initialisation takes long, thread_local objects whose destructors lock.
// expect: clean

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

std::mutex mutex;
int destroyed;
std::atomic<int> tries{0};
std::once_flag once;

struct Local {
  int value = 0;
  ~Local() {
    std::lock_guard<std::mutex> guard(mutex);
    std::this_thread::yield();
    ++destroyed;
  }
};
thread_local Local local;

struct Slow {
  Slow() {
    for (int i = 0; i < 10; ++i) std::this_thread::yield();
    value = 4;
  }
  int value;
};

static void body(int number) {
  local.value = number;
  for (;;) try {
      std::call_once(once, [] {
        std::this_thread::yield();
        if (++tries < 3) throw std::runtime_error("again");
      });
      break;
    } catch (const std::exception&) {
    }
  static Slow slow;
  if (slow.value != 4) throw std::logic_error("half made");
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
  return destroyed == 6 && tries == 3 ? 0 : 1;
}
