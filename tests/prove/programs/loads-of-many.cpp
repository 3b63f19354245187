// prove: proved
// classes: 74
// Loads of several variables, and stores to them: all orders of those that conflict, counted by brute force.
#include <atomic>
#include <thread>

std::atomic<int> x{0}, y{0};

int main() {
  std::thread one([] { (void)x.load(), (void)y.load(), (void)x.load(); });
  std::thread two([] { (void)y.load(), x.store(1), (void)y.load(); });
  y.store(1), (void)x.load(), y.store(2);
  one.join();
  two.join();
}
