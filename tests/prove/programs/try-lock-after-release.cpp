// prove: race
// One writes behind its critical section, the other inside of its own, if the lock is free when it tries it.
#include <mutex>
#include <thread>

std::mutex mutex;
int data = 0;

int main() {
  std::thread behind([] {
    mutex.lock();
    mutex.unlock();
    data = 1;
  });
  std::thread inside([] {
    if (mutex.try_lock()) {
      data = 2;
      mutex.unlock();
    }
  });
  behind.join();
  inside.join();
}
