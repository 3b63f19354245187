// Everybody takes the locks in one order.

#include <mutex>
#include <thread>

std::mutex a, b, c;

void work() {
  for (int i = 0; i < 1000; ++i) {
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
    std::lock_guard<std::mutex> third(c);
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return 0;
}
