// A pool of workers with a queue and two condition variables, used in rounds: what the jobs leave is read after each
// round.
// expect: clean

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      over_ = true;
    }
    more_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      jobs_.push(std::move(job));
    }
    more_.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> guard(mutex_);
    done_.wait(guard, [this] { return jobs_.empty() && busy_ == 0; });
  }

 private:
  void work() {
    std::unique_lock<std::mutex> guard(mutex_);
    for (;;) {
      more_.wait(guard, [this] { return over_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      std::function<void()> job = std::move(jobs_.front());
      jobs_.pop();
      ++busy_;
      guard.unlock();
      job();
      guard.lock();
      --busy_;
      if (jobs_.empty() && busy_ == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable more_, done_;
  std::queue<std::function<void()>> jobs_;
  int busy_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  std::mutex mutex;
  long sum = 0;
  {
    Pool pool(6);
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 40; ++i)
        pool.add([&, i] {
          std::lock_guard<std::mutex> guard(mutex);
          sum += i;
        });
      pool.wait();
      std::lock_guard<std::mutex> guard(mutex);
      if (sum != (round + 1) * 780) return 1;
    }
  }
  return sum == 3900 ? 0 : 2;
}
