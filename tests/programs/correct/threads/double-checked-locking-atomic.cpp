// Double-checked locking as it should be: the pointer is atomic, published with release, read with acquire.
// expect: clean

#include <atomic>
#include <mutex>
#include <thread>

struct Config {
  int value;
};
std::mutex lock;
std::atomic<Config*> instance;

static int use() {
  Config* config = instance.load(std::memory_order_acquire);
  if (!config) {
    std::lock_guard<std::mutex> guard(lock);
    config = instance.load(std::memory_order_relaxed);
    if (!config) {
      config = new Config{42};
      instance.store(config, std::memory_order_release);
    }
  }
  return config->value;
}

int main() {
  int seen[2];
  std::thread one([&] { seen[0] = use(); });
  std::thread two([&] { seen[1] = use(); });
  one.join();
  two.join();
  delete instance.load();
  return seen[0] != 42 || seen[1] != 42;
}
