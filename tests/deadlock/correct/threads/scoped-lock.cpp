// std::scoped_lock takes both, and backs off when it cannot.

#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread one([] {
    for (int i = 0; i < 100; ++i) std::scoped_lock both(a, b);
  });
  std::thread two([] {
    for (int i = 0; i < 100; ++i) std::scoped_lock both(b, a);
  });
  one.join();
  two.join();
  return 0;
}
