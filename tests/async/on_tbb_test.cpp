// The same bodies on one thread and on eight: results are right, exceptions arrive, nothing waits forever.
#include <gtest/gtest.h>
#include <heddle/async.hpp>
#include <tbb/global_control.h>

#include <atomic>
#include <list>
#include <numeric>
#include <random>
#include <string>
#include <thread>

namespace {

// Once on each number of threads. A deadlock is a test that does not end: ctest's timeout finds it.
class OnTbb : public testing::TestWithParam<int> {
 protected:
  template <class Body>
  void in_arena(Body body) {
    tbb::global_control threads(tbb::global_control::max_allowed_parallelism, GetParam());
    tbb::task_arena arena(GetParam());
    arena.execute(body);
  }
};
INSTANTIATE_TEST_SUITE_P(Threads, OnTbb, testing::Values(1, 2, 8),
                         [](const auto& threads) { return "Threads" + std::to_string(threads.param); });

long fib_by_finish(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  heddle::finish([&] {
    heddle::async([&] { a = fib_by_finish(n - 1); });
    b = fib_by_finish(n - 2);
  });
  return a + b;
}

long fib_by_future(int n) {
  if (n < 2) return n;
  auto a = heddle::async([n] { return fib_by_future(n - 1); });
  const long b = fib_by_future(n - 2);
  return a.get() + b;
}

TEST_P(OnTbb, FinishWaitsForDescendants) {
  in_arena([] {
    std::atomic<int> count = 0;
    heddle::finish([&] {
      for (int i = 0; i < 10; ++i)
        heddle::async([&] {
          for (int j = 0; j < 10; ++j)
            heddle::async([&] { heddle::async([&] { ++count; }); });  // outlives both of its creators
        });
    });
    EXPECT_EQ(count, 100);
  });
}

TEST_P(OnTbb, RecursionByFinishAndByFutures) {
  in_arena([] {
    EXPECT_EQ(fib_by_finish(16), 987);
    long value = 0;
    heddle::finish([&] { value = fib_by_future(16); });
    EXPECT_EQ(value, 987);
  });
}

// Each waits for the futures it was given, in an order unrelated to their creation: a worker that ran another task on
// top of a waiting one would eventually wait for a task below.
TEST_P(OnTbb, AnyAcyclicGraphOfFuturesEnds) {
  in_arena([] {
    for (unsigned seed = 0; seed < 30; ++seed) {
      std::mt19937 random(seed);
      std::vector<heddle::future<long>> futures;
      std::vector<long> expected;
      heddle::finish([&] {
        for (int i = 0; i < 200; ++i) {
          std::vector<heddle::future<long>> needs;
          long sum = 1;
          for (int k = 0; k < 3 && i > 0; ++k) {
            const auto which = random() % static_cast<unsigned>(i);
            needs.push_back(futures[which]);
            sum = (sum + expected[which]) % 1000003;
          }
          expected.push_back(sum);
          futures.push_back(heddle::async([needs] {
            long total = 1;
            heddle::finish([&] {  // a wait of the other kind on the same stack
              heddle::async([&] {
                for (const auto& need : needs) total = (total + need.get()) % 1000003;
              });
            });
            return total;
          }));
        }
      });
      for (std::size_t i = 0; i < futures.size(); ++i) ASSERT_EQ(futures[i].get(), expected[i]);
    }
  });
}

TEST_P(OnTbb, FuturesOfManyTypes) {
  in_arena([] {
    heddle::finish([] {
      int side = 0;
      heddle::future<void> nothing([&] { side = 5; });
      auto text = heddle::async([] { return std::string("text"); });
      auto copy = text;
      nothing.get();
      EXPECT_EQ(side, 5);
      EXPECT_EQ(text.get() + copy.get(), "texttext");
      heddle::future<int> none;
      EXPECT_FALSE(none.valid());
      EXPECT_THROW(none.get(), std::logic_error);
      heddle::future deduced([] { return 1.5; });
      EXPECT_EQ(deduced.get(), 1.5);
    });
  });
}

TEST_P(OnTbb, IsolatedExcludes) {
  in_arena([] {
    long all = 0, left = 0, right = 0;
    heddle::finish([&] {
      heddle::forasync(0, 2000, [&](long i) {
        heddle::isolated([&] { ++all; });
        if (i % 2)
          heddle::isolated(left, [&] { ++left; });
        else
          heddle::isolated(right, left, [&] { ++left, ++right; });
        heddle::isolated(left, right, [&] {
          heddle::isolated(right, [&] { ++right; });  // holds it already
        });
        heddle::isolated([&] { ++left, heddle::isolated(left, [&] { ++right; }); });
      });
    });
    EXPECT_EQ(all, 2000);
    EXPECT_EQ(left, 4000);
    EXPECT_EQ(right, 5000);
    EXPECT_EQ(heddle::isolated([&] { return all; }), 2000);
  });
}

TEST_P(OnTbb, LoopsInOneAndTwoDimensions) {
  in_arena([] {
    std::vector<int> seen(100);
    heddle::forall(0, 100, [&](long i) { ++seen[i]; });
    heddle::forall(std::size_t{0}, seen.size(), heddle::grouped(7), [&](long i) { ++seen[i]; });
    heddle::forall(seen, [](int& x) { ++x; });
    heddle::forall(seen, heddle::grouped(33), [](int& x) { ++x; });
    EXPECT_EQ(seen, std::vector<int>(100, 4));

    std::vector<std::vector<int>> cells(9, std::vector<int>(11));
    heddle::forall(9, 11, [&](long i, long j) { ++cells[i][j]; });
    heddle::forall({0, 9}, {0, 11}, heddle::grouped(4, 3), [&](long i, long j) { ++cells[i][j]; });
    heddle::finish([&] { heddle::forasync({0, 9}, {0, 11}, [&](long i, long j) { ++cells[i][j]; }); });
    EXPECT_EQ(cells, std::vector(9, std::vector<int>(11, 3)));

    std::list<int> list(20);
    heddle::forall(list, heddle::grouped(6), [](int& x) { x = 1; });
    heddle::finish([&] {
      heddle::forasync(list, [](int& x) { ++x; });
    });
    heddle::finish([&] { heddle::forasync(0, 20, heddle::grouped(3), [&](long) {}); });
    EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0), 40);
    EXPECT_THROW(heddle::forall(0, 3, heddle::grouped(0), [](long) {}), std::invalid_argument);
  });
}

// Without a finish in between, later iterations may be needed by earlier ones.
TEST_P(OnTbb, IterationsMayWaitForLaterOnes) {
  in_arena([] {
    heddle::finish([] {
      std::vector<heddle::future<int>> made;
      for (int i = 0; i < 8; ++i) made.push_back(heddle::async([i] { return i; }));
      std::atomic<int> sum = 0;
      heddle::forall(0, 8, [&](long i) { sum += made[7 - i].get(); });
      EXPECT_EQ(sum, 28);
    });
  });
}

TEST_P(OnTbb, ExceptionsAreCollected) {
  in_arena([] {
    std::atomic<int> ran = 0;
    try {
      heddle::finish([&] {
        for (int i = 0; i < 6; ++i)
          heddle::async([&ran, i] {
            ++ran;
            if (i % 2) throw i;
          });
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const heddle::multiple_exceptions& several) {
      EXPECT_EQ(several.exceptions().size(), 3u);
    }
    EXPECT_EQ(ran, 6);  // one that throws does not cancel the others

    EXPECT_THROW(heddle::finish([] { heddle::async([] { throw std::string("alone"); }); }), std::string);
    ran = 0;
    EXPECT_THROW(heddle::finish([&] {
                   heddle::async([&] { ++ran; });
                   throw 1.5;
                 }),
                 double);
    EXPECT_EQ(ran, 1);
    EXPECT_THROW(heddle::forall(0, 3, [](long i) {
                   if (i == 1) throw 'c';
                 }),
                 char);
    // A future's exception goes to get().
    heddle::finish([] {
      auto bad = heddle::async([]() -> int { throw 7L; });
      EXPECT_THROW(bad.get(), long);
      EXPECT_THROW(bad.get(), long);
    });
    // A finish inside a task passes it to the task.
    EXPECT_THROW(heddle::finish([] { heddle::async([] { heddle::finish([] { throw 3; }); }); }), int);
  });
}

TEST_P(OnTbb, RegionsJoinAllOrOne) {
  in_arena([] {
    heddle::region region;
    std::vector<int> order;
    for (int i = 0; i < 10; ++i) region.post([i] { return i; }, [&](int value) { order.push_back(value); });
    EXPECT_EQ(region.size(), 10u);
    region.await();
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));  // handlers in the order of posting

    order.clear();
    for (int i = 0; i < 10; ++i) region.post([i] { return i; }, [&](int value) { order.push_back(value); });
    for (std::size_t n = 1; n <= 10; ++n) {
      region.ewait();
      EXPECT_EQ(order.size(), n);
    }
    region.ewait();  // nothing left
    EXPECT_EQ(std::accumulate(order.begin(), order.end(), 0), 45);
    region.post([] { throw 1; });
    EXPECT_THROW(region.await(), int);
  });
}

TEST_P(OnTbb, WhatATaskPostsAndDoesNotJoinIsPassedOn) {
  in_arena([] {
    heddle::region region;
    int inner = 0, outer = 0;
    region.post([&] { region.post([] { return 1; }, [&](int value) { inner += value; }); }, [&] { ++outer; });
    region.ewait();
    EXPECT_EQ(outer, 1);
    EXPECT_EQ(inner, 0);
    EXPECT_EQ(region.size(), 1u);
    region.await();
    EXPECT_EQ(inner, 1);
    // Any other task waits at its end.
    heddle::finish([&] {
      heddle::async([&] { region.post([] { return 1; }, [&](int value) { inner += value; }); });
    });
    EXPECT_EQ(inner, 2);
  });
}

TEST_P(OnTbb, MistakesAreRefused) {
  in_arena([] {
    EXPECT_THROW(heddle::async([] {}), std::logic_error);
    EXPECT_THROW(heddle::async([] { return 1; }), std::logic_error);
    EXPECT_THROW(heddle::forasync(0, 1, [](long) {}), std::logic_error);
    int a = 0, b = 0;
    EXPECT_THROW(heddle::isolated([] { heddle::finish([] {}); }), std::logic_error);
    EXPECT_THROW(heddle::isolated(a, [&] { heddle::isolated(b, [] {}); }), std::logic_error);
    EXPECT_THROW(heddle::isolated(a, [&] { heddle::isolated([] {}); }), std::logic_error);
    heddle::isolated([&] { ++a; });  // the locks were released
    heddle::isolated(a, b, [&] { ++a; });
    EXPECT_EQ(a, 2);
  });
}

TEST_P(OnTbb, FromThreadsOfTheProgram) {
  in_arena([] {
    std::vector<std::thread> threads;
    std::atomic<long> sum = 0;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] { heddle::finish([&] { sum += fib_by_future(10); }); });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(sum, 4 * 55);
  });
}

}  // namespace
