// Detached threads that wait, poll and sleep forever do not keep the program from ending.
// expect: clean

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex& mutex = *new std::mutex;  // they outlive the static variables
std::condition_variable& never = *new std::condition_variable;

int main() {
  std::thread([] {
    std::unique_lock<std::mutex> lock(mutex);
    never.wait(lock, [] { return false; });
  }).detach();
  std::thread([] {
    for (;;) std::this_thread::yield();
  }).detach();
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 0;
}
