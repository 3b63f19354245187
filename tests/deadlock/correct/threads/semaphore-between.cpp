// A semaphore orders the two.

#include <mutex>
#include <semaphore.h>
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
sem_t done;

int main() {
  sem_init(&done, 0, 0);
  std::thread one([] {
    forward();
    sem_post(&done);
  });
  std::thread two([] {
    sem_wait(&done);
    backward();
  });
  one.join();
  two.join();
  return 0;
}
