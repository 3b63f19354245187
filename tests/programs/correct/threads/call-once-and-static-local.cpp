// std::call_once and a function-local static: one initialises, all others see it whole.
// expect: clean

#include <functional>
#include <mutex>
#include <thread>

std::once_flag once;
int table[4];

struct Config {
  Config() : value(5) {}
  int value;
};

static Config& config() {
  static Config instance;
  return instance;
}

static void use(int& seen) {
  std::call_once(once, [] {
    for (int i = 0; i < 4; i++) table[i] = i;
  });
  seen = table[3] + config().value;
}

int main() {
  int seen[2] = {};
  std::thread one(use, std::ref(seen[0])), two(use, std::ref(seen[1]));
  one.join();
  two.join();
  return seen[0] != 8 || seen[1] != 8;
}
