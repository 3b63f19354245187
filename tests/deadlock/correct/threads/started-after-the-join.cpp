// The second thread is created when the first one has been joined; the initial thread takes both orders, alone.

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
  backward();
  std::thread one(forward);
  one.join();
  std::thread two(backward);
  two.join();
  forward();
  return 0;
}
