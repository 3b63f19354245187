// std::atomic<shared_ptr> passes objects around by exchange; whoever takes one out has it for himself.
// expect: clean

#include <sched.h>

#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> slot;

int main() {
  std::thread sender([] {
    auto fresh = std::make_shared<int>(0);
    *fresh = 41;
    slot.exchange(std::move(fresh));
  });
  std::shared_ptr<int> got;
  while (!(got = slot.exchange(nullptr))) sched_yield();
  ++*got;
  sender.join();
  return *got != 42;
}
