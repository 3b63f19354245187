// The second thread is created by the first one after that gave both locks back.

#include <mutex>
#include <thread>

std::mutex a, b;

void forward() {
  std::lock_guard<std::mutex> first(a);
  std::lock_guard<std::mutex> second(b);
}
void backward() {
  std::lock_guard<std::mutex> first(b);
  std::lock_guard<std::mutex> second(a);
}

int main() {
  std::thread one([] {
    forward();
    std::thread two(backward);
    two.join();
  });
  std::thread bystander([] { std::lock_guard<std::mutex> first(a); });
  one.join();
  bystander.join();
  return 0;
}
