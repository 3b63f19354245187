// Waits that run out of time, and waits that do not: futures, condition variables, mutexes, semaphores, joins.
// expect: clean

#include <pthread.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static int fibonacci(int n) {
  if (n < 2) return n;
  std::future<int> other = std::async(std::launch::async, fibonacci, n - 1);
  int mine = fibonacci(n - 2);
  return other.get() + mine;
}

int main() {
  if (fibonacci(6) != 8) return 1;

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  if (future.wait_for(1ms) != std::future_status::timeout) return 2;
  std::thread sets([&] {
    std::this_thread::sleep_for(20ms);
    promise.set_value(3);
  });
  if (future.get() != 3) return 3;
  sets.join();

  std::mutex mutex;
  std::condition_variable never;
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (never.wait_for(lock, 1ms) != std::cv_status::timeout) return 4;
    if (never.wait_until(lock, std::chrono::system_clock::now() + 1ms) != std::cv_status::timeout) return 5;
  }

  std::timed_mutex held;
  std::shared_timed_mutex read;
  held.lock();
  read.lock_shared();
  int problem = 0;
  std::thread tries([&] {
    if (held.try_lock_for(1ms)) problem = 6;
    if (read.try_lock_for(1ms)) problem = 7;
    if (!read.try_lock_shared_for(1ms)) problem = 8;
    read.unlock_shared();
  });
  tries.join();
  if (problem) return problem;
  held.unlock();
  read.unlock_shared();

  std::binary_semaphore permit(0);
  if (permit.try_acquire_for(1ms)) return 9;
  std::thread gives([&] { permit.release(); });
  permit.acquire();
  gives.join();

  auto before = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(5ms);
  if (std::chrono::steady_clock::now() - before < 5ms) return 10;

  pthread_t sleeper;
  pthread_create(
      &sleeper, nullptr,
      [](void*) -> void* {
        std::this_thread::sleep_for(50ms);
        return nullptr;
      },
      nullptr);
  timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 1'000'000;
  if (soon.tv_nsec >= 1'000'000'000) soon = {soon.tv_sec + 1, soon.tv_nsec - 1'000'000'000};
  if (pthread_timedjoin_np(sleeper, nullptr, &soon) != ETIMEDOUT) return 11;
  if (pthread_tryjoin_np(sleeper, nullptr) != EBUSY) return 12;
  return pthread_join(sleeper, nullptr);
}
