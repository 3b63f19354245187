// Bug patterns with oneTBB: task groups, parallel algorithms, its mutexes; and their safe look-alikes.
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include <cassert>

#include "patterns.hpp"

namespace {

long total = 0;
tbb::spin_mutex mutex, other_mutex;

// expect: confirmed output
void two_tasks_add() {
  tbb::task_group group;
  group.run([] { total += 1; });
  group.run([] { total += 10; });
  group.wait();
  std::printf("%ld\n", total);
}

// expect: clean
void two_tasks_add_one_after_the_other() {
  tbb::task_group group;
  group.run([] { total += 1; });
  group.wait();
  group.run([] { total += 10; });
  group.wait();
  std::printf("%ld\n", total);
}

// expect: clean
void two_tasks_add_under_a_mutex() {
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([] {
      tbb::spin_mutex::scoped_lock lock(mutex);
      total += 1;
    });
  group.wait();
  std::printf("%ld\n", total);
}

// expect: confirmed output
void two_mutexes_for_one_sum() {
  tbb::task_group group;
  group.run([] {
    tbb::spin_mutex::scoped_lock lock(mutex);
    total += 1;
  });
  group.run([] {
    tbb::spin_mutex::scoped_lock lock(other_mutex);
    total += 10;
  });
  group.wait();
  std::printf("%ld\n", total);
}

// expect: confirmed output
void loop_with_a_shared_sum() {
  tbb::parallel_for(0, 4, [](int i) { total += i; });
  std::printf("%ld\n", total);
}

// expect: clean
void loop_that_reduces() {
  total = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 4), 0L,
      [](const tbb::blocked_range<int>& range, long sum) {
        for (int i = range.begin(); i != range.end(); ++i) sum += i;
        return sum;
      },
      [](long a, long b) { return a + b; });
  std::printf("%ld\n", total);
}

// expect: confirmed output
void functions_that_share() {
  static long seen = 0;
  tbb::parallel_invoke([] { total = 5; }, [] { seen = total; });
  std::printf("%ld\n", seen);
}

// expect: confirmed output
void waits_too_late() {
  static long seen = 0;
  tbb::task_group group;
  group.run([] { total = 5; });
  seen = total;
  group.wait();
  std::printf("%ld\n", seen);
}

// expect: refuted
void turn_under_a_mutex() {
  static int turn = 0;
  auto read = [] {
    bool mine;
    {
      tbb::spin_mutex::scoped_lock lock(mutex);
      mine = turn == 1;
    }
    if (mine) [[maybe_unused]] volatile long seen = total;
  };
  tbb::task_group group;
  group.run(read);
  group.run([] {
    total = 5;
    tbb::spin_mutex::scoped_lock lock(mutex);
    turn = 1;
  });
  group.run(read);
  group.wait();
}

// expect: confirmed assertion
// options: --stop-on=assert
void ticket_taken_twice() {
  static volatile long next = 0;
  static long mine[2];
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([i] {
      mine[i] = next;
      next = next + 1;
    });
  group.wait();
  assert(mine[0] != mine[1]);
}

// --- locks in different orders -------------------------------------------------------------------------------------

tbb::spin_mutex left, right, around;

void both(tbb::spin_mutex& one, tbb::spin_mutex& other) {
  tbb::spin_mutex::scoped_lock first(one);
  tbb::spin_mutex::scoped_lock second(other);
}

// expect: confirmed deadlock
// options: --check=deadlock
void mutexes_in_two_orders() {
  tbb::parallel_invoke([] { both(left, right); }, [] { both(right, left); });
}

// expect: clean
// options: --check=deadlock
void mutexes_in_two_orders_under_a_third() {
  tbb::parallel_invoke(
      [] {
        tbb::spin_mutex::scoped_lock guard(around);
        both(left, right);
      },
      [] {
        tbb::spin_mutex::scoped_lock guard(around);
        both(right, left);
      });
}

const Pattern kPatterns[] = {
    {"two_tasks_add", two_tasks_add},
    {"two_tasks_add_one_after_the_other", two_tasks_add_one_after_the_other},
    {"two_tasks_add_under_a_mutex", two_tasks_add_under_a_mutex},
    {"two_mutexes_for_one_sum", two_mutexes_for_one_sum},
    {"loop_with_a_shared_sum", loop_with_a_shared_sum},
    {"loop_that_reduces", loop_that_reduces},
    {"functions_that_share", functions_that_share},
    {"waits_too_late", waits_too_late},
    {"turn_under_a_mutex", turn_under_a_mutex},
    {"ticket_taken_twice", ticket_taken_twice},
    {"mutexes_in_two_orders", mutexes_in_two_orders},
    {"mutexes_in_two_orders_under_a_third", mutexes_in_two_orders_under_a_third},
};

}  // namespace

int main(int count, char** words) { return run_pattern(kPatterns, count, words); }
