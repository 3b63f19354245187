// A recursive mutex taken again while another lock is held: nobody waits for what he has.

#include <mutex>
#include <thread>

std::recursive_mutex a;
std::mutex b;

void work() {
  std::lock_guard<std::recursive_mutex> first(a);
  std::lock_guard<std::mutex> second(b);
  std::lock_guard<std::recursive_mutex> again(a);
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return 0;
}
