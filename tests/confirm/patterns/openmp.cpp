// Bug patterns with OpenMP: regions, loops, tasks, critical sections; and their safe look-alikes.
#include <omp.h>

#include <cassert>
#include <cstdlib>
#include <vector>

#include "patterns.hpp"

namespace {

long total = 0;
long cells[8];

// expect: confirmed output
void sum_without_reduction() {
#pragma omp parallel num_threads(2)
  { total += 1; }
  std::printf("%ld\n", total);
}

// expect: clean
void sum_with_reduction() {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  { sum += 1; }
  std::printf("%ld\n", sum);
}

// expect: confirmed output
void loop_with_a_shared_sum() {
  long sum = 0;
#pragma omp parallel for num_threads(2) shared(sum)
  for (int i = 0; i < 4; ++i) sum += i;
  std::printf("%ld\n", sum);
}

// expect: clean
void loop_with_atomic() {
  long sum = 0;
#pragma omp parallel for num_threads(2) shared(sum)
  for (int i = 0; i < 4; ++i) {
#pragma omp atomic
    sum += i;
  }
  std::printf("%ld\n", sum);
}

// expect: confirmed output
void critical_sections_of_two_names() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp critical(one)
      total += 1;
    }
#pragma omp section
    {
#pragma omp critical(two)
      total += 10;
    }
  }
  std::printf("%ld\n", total);
}

// expect: clean
void critical_sections_of_one_name() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp critical(one)
      total += 1;
    }
#pragma omp section
    {
#pragma omp critical(one)
      total += 10;
    }
  }
  std::printf("%ld\n", total);
}

// expect: confirmed output
void read_outside_of_the_critical_section() {
#pragma omp parallel num_threads(2)
  {
    long seen = total;
#pragma omp critical
    total = seen + 1;
  }
  std::printf("%ld\n", total);
}

// expect: confirmed output
void tasks_without_taskwait() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    total += 1;
#pragma omp task
    total += 10;
  }
  std::printf("%ld\n", total);
}

// expect: clean
void tasks_with_taskwait() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    total += 1;
#pragma omp taskwait
#pragma omp task
    total += 10;
  }
  std::printf("%ld\n", total);
}

// expect: clean
void tasks_with_dependences() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inout : total)
    total += 1;
#pragma omp task depend(inout : total)
    total *= 10;
  }
  std::printf("%ld\n", total);
}

// expect: confirmed output
void dependence_on_the_wrong_variable() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inout : cells[0])
    total += 1;
#pragma omp task depend(inout : cells[1])
    total += 10;
  }
  std::printf("%ld\n", total);
}

// expect: confirmed output
void parent_goes_on_too_early() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    total = 5;
    cells[0] = total;
#pragma omp taskwait
  }
  std::printf("%ld\n", cells[0]);
}

// expect: confirmed output
void nowait_loop() {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 4; ++i) cells[i] = i + 1;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 3; ++i) cells[4 + i] = cells[3 - i];
  }
  std::printf("%ld %ld %ld\n", cells[4], cells[5], cells[6]);
}

// expect: clean
void loop_with_its_barrier() {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; ++i) cells[i] = i + 1;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 3; ++i) cells[4 + i] = cells[3 - i];
  }
  std::printf("%ld %ld %ld\n", cells[4], cells[5], cells[6]);
}

// expect: confirmed output
void master_without_barrier() {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    total = 7;
    if (omp_get_thread_num() == 1) cells[0] = total;
  }
  std::printf("%ld\n", cells[0]);
}

// expect: clean
void single_with_its_barrier() {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    total = 7;
    if (omp_get_thread_num() == 1) cells[0] = total;
  }
  std::printf("%ld\n", cells[0]);
}

// expect: confirmed output
void private_that_is_shared() {
  long help = 0;
#pragma omp parallel for num_threads(2) shared(help)
  for (int i = 0; i < 2; ++i) {
    help = i + 1;
#pragma omp critical
    total += help;
  }
  std::printf("%ld\n", total);
}

// expect: refuted
void turn_under_critical() {
  int turn = 0;
#pragma omp parallel sections num_threads(2) shared(turn)
  {
#pragma omp section
    {
      total = 5;
#pragma omp critical
      turn = 1;
    }
#pragma omp section
    {
      int seen;
#pragma omp critical
      seen = turn;
      if (seen) cells[0] = total;
    }
  }
}

// expect: confirmed none
void turn_given_too_early() {
  int turn = 0;
#pragma omp parallel sections num_threads(2) shared(turn)
  {
#pragma omp section
    {
#pragma omp critical
      turn = 1;
      total = 5;
    }
#pragma omp section
    {
      int seen;
#pragma omp critical
      seen = turn;
      if (seen) cells[0] = total;
    }
  }
}

// expect: confirmed output
void lock_for_one_of_two() {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      omp_set_lock(&lock);
      total += 1;
      omp_unset_lock(&lock);
    }
#pragma omp section
    { total += 10; }
  }
  omp_destroy_lock(&lock);
  std::printf("%ld\n", total);
}

// expect: confirmed assertion
// options: --stop-on=assert
void ticket_taken_twice() {
  static volatile long next = 0;
  long mine[2];
#pragma omp parallel num_threads(2)
  {
    mine[omp_get_thread_num()] = next;
    next = next + 1;
  }
  assert(mine[0] != mine[1]);
}

// --- locks in different orders -------------------------------------------------------------------------------------

omp_lock_t left, right, outer;

[[gnu::noinline]] void both(omp_lock_t& first, omp_lock_t& second) {
  omp_set_lock(&first);
  omp_set_lock(&second);
  omp_unset_lock(&second);
  omp_unset_lock(&first);
}
void make_locks() {
  for (omp_lock_t* lock : {&left, &right, &outer}) omp_init_lock(lock);
}

// expect: confirmed deadlock
// options: --check=deadlock
void locks_in_two_orders() {
  make_locks();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) both(left, right);
    if (omp_get_thread_num() == 1) both(right, left);
  }
}

// expect: confirmed deadlock
// options: --check=deadlock
void tasks_with_locks_in_two_orders() {
  make_locks();
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    both(left, right);
#pragma omp task
    both(right, left);
  }
}

// expect: clean
// options: --check=deadlock
void locks_in_two_orders_under_a_critical_construct() {
  make_locks();
#pragma omp parallel num_threads(2)
#pragma omp critical(all)
  {
    if (omp_get_thread_num() == 0) both(left, right);
    if (omp_get_thread_num() == 1) both(right, left);
  }
}

// expect: clean
// options: --check=deadlock
void locks_in_two_orders_with_a_barrier_between() {
  make_locks();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) both(left, right);
#pragma omp barrier
    if (omp_get_thread_num() == 1) both(right, left);
  }
}

// expect: clean
// options: --check=deadlock
void one_only_tests_its_second_lock() {
  make_locks();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) both(left, right);
    if (omp_get_thread_num() == 1) {
      omp_set_lock(&right);
      if (omp_test_lock(&left)) omp_unset_lock(&left);
      omp_unset_lock(&right);
    }
  }
}

const Pattern kPatterns[] = {
    {"sum_without_reduction", sum_without_reduction},
    {"sum_with_reduction", sum_with_reduction},
    {"loop_with_a_shared_sum", loop_with_a_shared_sum},
    {"loop_with_atomic", loop_with_atomic},
    {"critical_sections_of_two_names", critical_sections_of_two_names},
    {"critical_sections_of_one_name", critical_sections_of_one_name},
    {"read_outside_of_the_critical_section", read_outside_of_the_critical_section},
    {"tasks_without_taskwait", tasks_without_taskwait},
    {"tasks_with_taskwait", tasks_with_taskwait},
    {"tasks_with_dependences", tasks_with_dependences},
    {"dependence_on_the_wrong_variable", dependence_on_the_wrong_variable},
    {"parent_goes_on_too_early", parent_goes_on_too_early},
    {"nowait_loop", nowait_loop},
    {"loop_with_its_barrier", loop_with_its_barrier},
    {"master_without_barrier", master_without_barrier},
    {"single_with_its_barrier", single_with_its_barrier},
    {"private_that_is_shared", private_that_is_shared},
    {"turn_under_critical", turn_under_critical},
    {"turn_given_too_early", turn_given_too_early},
    {"lock_for_one_of_two", lock_for_one_of_two},
    {"ticket_taken_twice", ticket_taken_twice},
    {"locks_in_two_orders", locks_in_two_orders},
    {"tasks_with_locks_in_two_orders", tasks_with_locks_in_two_orders},
    {"locks_in_two_orders_under_a_critical_construct", locks_in_two_orders_under_a_critical_construct},
    {"locks_in_two_orders_with_a_barrier_between", locks_in_two_orders_with_a_barrier_between},
    {"one_only_tests_its_second_lock", one_only_tests_its_second_lock},
};

}  // namespace

int main(int count, char** words) { return run_pattern(kPatterns, count, words); }
