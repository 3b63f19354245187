// Many push on a lock-free stack by compare-and-swap; one drains it whole by exchange (so no node can recur).
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

struct Node {
  int value;
  Node* next;
};
std::atomic<Node*> top;

static void push(int value) {
  Node* node = new Node{value, top.load(std::memory_order_relaxed)};
  while (!top.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int main() {
  std::thread one([] { push(1), push(2); });
  std::thread two([] { push(3), push(4); });
  int sum = 0;
  for (int taken = 0; taken < 4;) {
    Node* node = top.exchange(nullptr, std::memory_order_acquire);
    if (!node) sched_yield();
    while (node) {
      Node* next = node->next;
      sum += node->value;
      delete node;
      node = next;
      taken++;
    }
  }
  one.join();
  two.join();
  return sum != 10;
}
