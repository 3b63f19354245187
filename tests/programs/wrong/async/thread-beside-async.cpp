// A thread and a task write one variable.
// expect: race

#include <heddle/async.hpp>

#include <thread>

int value;

int main() {
  std::thread other;
  heddle::finish([&] {
    heddle::async([] { value = 1; });                    // race: A
    other = std::thread([] { value = 2; });  // race: A
  });
  other.join();
  return value > 2;
}
