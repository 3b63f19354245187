// prove: deadlock
// Two detached threads wait for each other, and main ends meanwhile: they are in a deadlock all the same.
#include <mutex>
#include <thread>

std::mutex one, two;

int main() {
  std::thread([] {
    std::lock_guard first(one);
    std::lock_guard second(two);
  }).detach();
  std::thread([] {
    std::lock_guard first(two);
    std::lock_guard second(one);
  }).detach();
}
