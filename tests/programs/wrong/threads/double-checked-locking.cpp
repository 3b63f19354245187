// The first check reads the pointer without the lock while another thread may be writing it under the lock.
// Whoever comes second has read it unguarded; if it was set already, the object is used without order too.
// expect: race

#include <mutex>
#include <thread>

struct Config {
  int value;
};

std::mutex lock;
Config* instance;

static int use() {
  Config* config = instance;  // race: A
  if (!config) {
    std::lock_guard<std::mutex> guard(lock);
    if (!instance) {
      Config* fresh = new Config;  // race: A
      fresh->value = 42;           // race: A
      instance = fresh;            // race: A
    }
    config = instance;
  }
  return config->value;  // race: A
}

int main() {
  int seen[2];
  std::thread one([&] { seen[0] = use(); });
  std::thread two([&] { seen[1] = use(); });
  one.join();
  two.join();
  delete instance;
  return seen[0] != 42 || seen[1] != 42;
}
