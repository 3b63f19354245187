// A list of SIZE nodes that two threads walk hand over hand: the lock of a node is held while the next one is taken.
#include "../bench.h"

#include <deque>
#include <mutex>
#include <thread>

namespace {
struct Node {
  std::mutex mutex;
  long value = 0;
  Node* next = nullptr;
};

void walk(Node* node) {
  node->mutex.lock();
  while (node) {
    node->value += 1;
    Node* const next = node->next;
    if (next) next->mutex.lock();
    node->mutex.unlock();
    node = next;
  }
}
}  // namespace

int main(int argc, char** argv) {
  const long locks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::deque<Node> all(static_cast<std::size_t>(locks));
  for (std::size_t i = 1; i < all.size(); ++i) all[i - 1].next = &all[i];
  std::thread other(walk, &all[0]);
  walk(&all[0]);
  other.join();
  bench::require(all.back().value == 2, "every section ran");
}
