// Programs whose analysis must not cost more than in proportion to their size: each shape makes one thing n times. The
// first argument names the shape, the second is n.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <heddle/annotate.h>
#include <omp.h>

namespace {

int cut_off = 3;  // every task reads it
long total = 0;
std::atomic<long> counter{0};

// --- tasks -------------------------------------------------------------------------------------------------------

void tree(long tasks, bool wait) {
  if (tasks <= 1) return;
  const long left = (tasks - 1) / 2, right = tasks - 1 - left;
#pragma omp task
  if (cut_off > 0) tree(left, wait);
#pragma omp task
  if (cut_off > 0) tree(right, wait);
  if (wait) {
#pragma omp taskwait
  }
}
void tree_with_waits(long n) {
#pragma omp parallel
#pragma omp single
  tree(n, true);
}
void tree_without_waits(long n) {
#pragma omp parallel
#pragma omp single
  tree(n, false);
}
void siblings(long n) {
  std::vector<long> cells(static_cast<std::size_t>(n));
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task shared(cells)
    cells[static_cast<std::size_t>(i)] = cut_off;
  }
}
void siblings_in_groups(long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 4; ++i) {
#pragma omp taskgroup
    for (int k = 0; k < 4; ++k) {
#pragma omp task
      if (cut_off > 100) std::abort();
    }
  }
}
void chain_of_tasks(long n) {
  if (n == 0) return;
#pragma omp task
  if (cut_off > 0) chain_of_tasks(n - 1);
#pragma omp taskwait
}
void depth(long n) {
  // Deep stacks end it: so many chains of a depth that every system has room for.
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 50; ++i) chain_of_tasks(50);
}
void dependent_tasks(long n) {
  long value = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task depend(inout : value) shared(value)
    value += cut_off;
  }
}
void readers_and_writer(long n) {
  long value = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 8; ++i) {
#pragma omp task depend(out : value) shared(value)
    value += 1;
    for (int k = 0; k < 7; ++k) {
#pragma omp task depend(in : value) shared(value, sum)
#pragma omp atomic
      sum += value;
    }
  }
}
// What the tasks of one variable know has nothing in common with what those of another know.
void dependences_of_eight(long n) {
  long values[8] = {}, sum = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 8; ++i) {
    long* const value = &values[i % 8];
#pragma omp task depend(out : *value) firstprivate(value)
    *value += 1;
    for (int k = 0; k < 7; ++k) {
#pragma omp task depend(in : *value) firstprivate(value) shared(sum)
#pragma omp atomic
      sum += *value;
    }
  }
}
void tasks_under_a_lock(long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task
#pragma omp critical
    total += 1;
  }
}
void taskloops(long n) {
  std::vector<long> cells(64);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 8; ++i) {
#pragma omp taskloop num_tasks(8) shared(cells)
    for (int k = 0; k < 64; ++k) cells[static_cast<std::size_t>(k)] += 1;
  }
}

// --- regions and worksharing ---------------------------------------------------------------------------------------

void regions(long n) {
  for (long i = 0; i < n; ++i) {
#pragma omp parallel num_threads(2)
    if (cut_off > 100) std::abort();
  }
}
void nested_regions(long n) {
#pragma omp parallel num_threads(2)
  for (long i = 0; i < n; ++i) {
#pragma omp parallel num_threads(1)
    if (cut_off > 100) std::abort();
  }
}
void singles(long n) {
#pragma omp parallel
  for (long i = 0; i < n; ++i) {
#pragma omp single
    total += cut_off;
  }
}
void singles_nowait(long n) {
#pragma omp parallel
  for (long i = 0; i < n; ++i) {
#pragma omp single nowait
    if (cut_off > 100) std::abort();
  }
}
void chunks(long n) {
  std::vector<long> cells(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < n; ++i) cells[static_cast<std::size_t>(i)] = cut_off;
}
void barriers(long n) {
#pragma omp parallel num_threads(2)
  for (long i = 0; i < n; ++i) {
    if (omp_get_thread_num() == 0) total += 1;
#pragma omp barrier
  }
}

// --- threads, locks, atomics ---------------------------------------------------------------------------------------

void thread_rounds(long n) {
  for (long round = 0; round < n / 32; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 32; ++i)
      threads.emplace_back([] {
        for (int k = 0; k < 4; ++k) counter.fetch_add(1);
      });
    for (auto& thread : threads) thread.join();
  }
}
void detached_threads(long n) {
  for (long i = 0; i < n; ++i) {
    std::thread([] { counter.fetch_add(1); }).detach();
    while (counter.load() <= i) std::this_thread::yield();
  }
}
void asyncs(long n) {
  for (long i = 0; i < n; ++i) total += std::async(std::launch::async, [i] { return i + cut_off; }).get();
}
void messages_by_atomics(long n) {
  std::atomic<long> there{0}, back{0};
  long message = 0;
  std::thread other([&] {
    for (long i = 1; i <= n; ++i) {
      while (there.load(std::memory_order_acquire) < i) std::this_thread::yield();
      message += 1;
      back.store(i, std::memory_order_release);
    }
  });
  for (long i = 1; i <= n; ++i) {
    message += 1;
    there.store(i, std::memory_order_release);
    while (back.load(std::memory_order_acquire) < i) std::this_thread::yield();
  }
  other.join();
}
void atomic_variables(long n) {
  std::vector<std::atomic<long>> cells(static_cast<std::size_t>(n));
  auto visit = [&] {
    for (auto& cell : cells) cell.fetch_add(1);
  };
  std::thread other(visit);
  visit();
  other.join();
}
void messages_by_queue(long n) {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::unique_ptr<long>> queue;
  std::thread consumer([&] {
    for (long i = 0; i < n; ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return !queue.empty(); });
      total += *queue.front();
      queue.pop_front();
    }
  });
  for (long i = 0; i < n; ++i) {
    auto message = std::make_unique<long>(i);
    std::lock_guard guard(mutex);
    queue.push_back(std::move(message));
    changed.notify_one();
  }
  consumer.join();
}
void sections_of_one_lock(long n) {
  std::mutex mutex;
  auto work = [&] {
    for (long i = 0; i < n; ++i) {
      std::lock_guard guard(mutex);
      total += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
}
struct Locked {
  std::mutex mutex;
  long value = 0;
};
void locks(long n) {
  std::vector<Locked> all(static_cast<std::size_t>(n));
  auto work = [&] {
    for (Locked& one : all) {
      std::lock_guard guard(one.mutex);
      one.value += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
}
void nested_locks(long n) {
  std::vector<Locked> all(static_cast<std::size_t>(n + 1));
  auto work = [&] {
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      std::lock_guard outer(all[i].mutex);
      std::lock_guard inner(all[i + 1].mutex);
      all[i].value += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
}
// Each task reads one variable under a lock of its own.
void locksets_of_one_variable(long n) {
  std::vector<std::mutex> mutexes(16);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task shared(mutexes)
    {
      std::lock_guard guard(mutexes[static_cast<std::size_t>(i % 16)]);
      if (cut_off > 100) std::abort();
    }
  }
}

// --- memory --------------------------------------------------------------------------------------------------------

void accesses(long n) {
  std::vector<unsigned char> bytes(4096);
  std::vector<long> words(4096);
  auto work = [&](unsigned begin) {
    for (long i = 0; i < n; ++i) {
      const unsigned at = begin + static_cast<unsigned>(i) * 517u % 2048u;
      bytes[at] += 1;
      words[at] += bytes[at];
    }
  };
  std::thread other(work, 0u);
  work(2048u);
  other.join();
}
void memory_touched(long n) {
  std::vector<long> words(static_cast<std::size_t>(16 * n));
  auto work = [&](std::size_t begin) {
    for (std::size_t i = begin; i < words.size(); i += 2) words[i] = 1;
  };
  std::thread other(work, std::size_t{0});
  work(1);
  other.join();
}
void blocks(long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task
    {
      auto block = std::make_unique<long[]>(40);
      block[static_cast<std::size_t>(i % 40)] = cut_off;
    }
#pragma omp taskwait
  }
}
void readers_of_a_table(long n) {
  std::vector<long> table(512, 1);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 64; ++i) {
#pragma omp task shared(table)
    {
      long sum = 0;
      for (int k = 0; k < 64; ++k) sum += table[static_cast<std::size_t>((i * 31 + k * 7) % 512)];
      if (sum == 0) std::abort();
    }
  }
}

// --- findings ------------------------------------------------------------------------------------------------------

void racing_variables(long n) {
  std::vector<long> cells(static_cast<std::size_t>(n));
  auto work = [&] {
    for (long& cell : cells) cell += 1;
  };
  std::thread other(work);
  work();
  other.join();
}
constexpr int kPlaces = 256;
long places[kPlaces];
template <int I>
void touch_place() {
  places[I] += 1;
}
template <int... I>
void touch_places(long n, std::integer_sequence<int, I...>) {
  void (*const all[])() = {touch_place<I>...};
  for (long i = 0; i < n; ++i) all[i % kPlaces]();
}
void places_that_race(long n) {
  auto work = [n] { touch_places(n, std::make_integer_sequence<int, kPlaces>{}); };
  std::thread other(work);
  work();
  other.join();
}

// --- data that is meant to be atomic -------------------------------------------------------------------------------

long balance = 0;
void annotated_siblings(long n) {
  HEDDLE_ATOMIC_RANGE(&balance, sizeof balance);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task
#pragma omp critical
    balance += 1;
  }
}
long entries = 0;
void annotated_groups(long n) {
  HEDDLE_ATOMIC_GROUP(balance, entries);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; ++i) {
#pragma omp task
#pragma omp critical
    {
      balance += 1;
      entries += 1;
    }
  }
}
void annotated_reacquired(long n) {
  HEDDLE_ATOMIC_RANGE(&balance, sizeof balance);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n / 4; ++i) {
#pragma omp task
    for (int k = 0; k < 4; ++k) {
#pragma omp critical
      balance += 1;
    }
  }
}
void annotated_cells(long n) {
  std::vector<long> cells(static_cast<std::size_t>(n));
  HEDDLE_ATOMIC_RANGE(cells.data(), cells.size() * sizeof(long));
#pragma omp parallel
#pragma omp single
  for (int task = 0; task < 4; ++task) {
#pragma omp task shared(cells)
    for (long& cell : cells) {
#pragma omp atomic
      cell += 1;
    }
  }
}

struct Shape {
  const char* name;
  void (*run)(long);
};
#define SHAPE(name) \
  Shape { #name, name }
const Shape kShapes[] = {
    SHAPE(tree_with_waits),
    SHAPE(tree_without_waits),
    SHAPE(siblings),
    SHAPE(siblings_in_groups),
    SHAPE(depth),
    SHAPE(dependent_tasks),
    SHAPE(readers_and_writer),
    SHAPE(dependences_of_eight),
    SHAPE(tasks_under_a_lock),
    SHAPE(taskloops),
    SHAPE(regions),
    SHAPE(nested_regions),
    SHAPE(singles),
    SHAPE(singles_nowait),
    SHAPE(chunks),
    SHAPE(barriers),
    SHAPE(thread_rounds),
    SHAPE(detached_threads),
    SHAPE(asyncs),
    SHAPE(messages_by_atomics),
    SHAPE(atomic_variables),
    SHAPE(messages_by_queue),
    SHAPE(sections_of_one_lock),
    SHAPE(locks),
    SHAPE(nested_locks),
    SHAPE(locksets_of_one_variable),
    SHAPE(accesses),
    SHAPE(memory_touched),
    SHAPE(blocks),
    SHAPE(readers_of_a_table),
    SHAPE(racing_variables),
    SHAPE(places_that_race),
    SHAPE(annotated_siblings),
    SHAPE(annotated_groups),
    SHAPE(annotated_reacquired),
    SHAPE(annotated_cells),
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3)
    for (const Shape& shape : kShapes)
      if (std::strcmp(shape.name, argv[1]) == 0) {
        shape.run(std::atol(argv[2]));
        return 0;
      }
  std::fprintf(stderr, "usage: shapes SHAPE N\n");
  for (const Shape& shape : kShapes) std::fprintf(stderr, "%s\n", shape.name);
  return 2;
}
