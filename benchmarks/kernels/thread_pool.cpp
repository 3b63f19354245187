// A thread pool with one queue (mutex and condition variable): jobs are std::functions, results come back as futures.
// The jobs of a round change a stretch of one array each, whoever of the pool runs them.
#include "../bench.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

constexpr long kStretch = 2048;  // numbers per job
constexpr long kJobs = 128;      // per round

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;

  template <class Work>
  std::future<std::invoke_result_t<Work>> submit(Work work) {
    // A std::function can be copied, so what it holds must be; a packaged_task cannot.
    auto job = std::make_shared<std::packaged_task<std::invoke_result_t<Work>()>>(std::move(work));
    auto result = job->get_future();
    {
      std::lock_guard guard(mutex_);
      jobs_.emplace_back([job] { (*job)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock guard(mutex_);
      changed_.wait(guard, [&] { return closed_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      guard.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

// Adds one to each; returns their sum.
long increment(std::vector<long>& numbers, long first) {
  long sum = 0;
  for (long i = first; i < first + kStretch; ++i) sum += ++numbers[i];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long rounds = bench::size_argument(argc, argv, 1200, bench::Polynomial{1});
  constexpr long kNumbers = kJobs * kStretch;
  std::vector<long> numbers(kNumbers);
  for (long i = 0; i < kNumbers; ++i) numbers[i] = i;
  Pool pool(bench::thread_count());
  for (long round = 1; round <= rounds; ++round) {
    std::vector<std::future<long>> sums;
    for (long job = 0; job < kJobs; ++job)
      sums.push_back(pool.submit([&numbers, first = job * kStretch] { return increment(numbers, first); }));
    long sum = 0;
    for (auto& part : sums) sum += part.get();
    bench::require(sum == kNumbers * (kNumbers - 1) / 2 + kNumbers * round, "sum of a round");
  }
}
