// One thread has both orders, and nobody else has any.

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
    backward();
  });
  std::thread two([] { std::lock_guard<std::mutex> alone(a); });
  one.join();
  two.join();
  return 0;
}
