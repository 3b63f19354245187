// A table of counters with one small lock per bucket: many locks, short critical sections, little contention.
#include "../bench.h"

#include <omp.h>

#include <memory>
#include <vector>

namespace {

constexpr long kBuckets = 4096;
constexpr long kKeys = 3 * kBuckets;
constexpr long kAddsPerTask = 2000;

struct Counter {
  std::uint64_t key;
  long count;
  std::unique_ptr<Counter> next;
};

class CounterTable {
 public:
  CounterTable() : buckets_(kBuckets) {
    for (Bucket& bucket : buckets_) omp_init_lock(&bucket.lock);
  }
  ~CounterTable() {
    for (Bucket& bucket : buckets_) omp_destroy_lock(&bucket.lock);
  }
  CounterTable(const CounterTable&) = delete;

  void add(std::uint64_t key) {
    Bucket& bucket = buckets_[bench::mix(key) % kBuckets];
    omp_set_lock(&bucket.lock);
    Counter* counter = bucket.first.get();
    while (counter && counter->key != key) counter = counter->next.get();
    if (!counter) {
      bucket.first.reset(new Counter{key, 0, std::move(bucket.first)});
      counter = bucket.first.get();
    }
    ++counter->count;
    omp_unset_lock(&bucket.lock);
  }

  // REQUIRES: no concurrent add.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Bucket& bucket : buckets_)
      for (const Counter* counter = bucket.first.get(); counter; counter = counter->next.get())
        visit(*counter);
  }

 private:
  struct Bucket {
    omp_lock_t lock;
    std::unique_ptr<Counter> first;
  };
  std::vector<Bucket> buckets_;
};

}  // namespace

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 4500, bench::Polynomial{1});
  CounterTable table;
#pragma omp parallel
#pragma omp single
  for (long task = 0; task < tasks; ++task) {
#pragma omp task shared(table) firstprivate(task)
    {
      bench::Random random(task);
      for (long i = 0; i < kAddsPerTask; ++i) table.add(random.below(kKeys));
    }
  }
  long total = 0, keys = 0;
  table.for_each([&](const Counter& counter) {
    total += counter.count;
    ++keys;
  });
  bench::require(total == tasks * kAddsPerTask, "sum of all counters");
  bench::require(keys <= kKeys, "every key once");
}
