// A function-local static is initialised once, safely; its later increments are as unsafe as any.
// expect: race

#include <thread>

static int seed() { return 100; }

static int next_id() {
  static int id = seed();
  return ++id;  // race: A
}

int main() {
  int first = 0, second = 0;
  std::thread one([&] { first = next_id(); });
  std::thread two([&] { second = next_id(); });
  one.join();
  two.join();
  return first < 101 || second < 101;
}
