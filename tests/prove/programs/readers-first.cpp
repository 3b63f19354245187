// prove: proved
// assumptions: readers-first
// Two hold the lock for reading while a third wants to write: whether the second has to wait for the writer is open.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int data = 0;

int main() {
  auto read = [] {
    std::shared_lock lock(mutex);
    return data;
  };
  std::thread one([=] { read(); });
  std::thread writer([] {
    std::unique_lock lock(mutex);
    ++data;
  });
  mutex.lock_shared();
  read();
  mutex.unlock_shared();
  one.join();
  writer.join();
}
