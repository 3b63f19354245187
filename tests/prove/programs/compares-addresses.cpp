// prove: proved
// assumptions: no-reuse
// A block that another thread frees could be allocated again, at the address that is compared.
#include <atomic>
#include <thread>

struct Node {
  long value;
};
std::atomic<Node*> head{nullptr};

int main() {
  std::thread takes([] {
    Node* first = head.load();
    if (first) head.compare_exchange_strong(first, nullptr);
  });
  std::thread gives([] { head = new Node{1}; });
  takes.join();
  gives.join();
}
