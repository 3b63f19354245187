// What OpenMP promises, construct by construct, checked by the program itself; it runs with libgomp as well (g++
// -fopenmp). Prints what fails, and exits with the number of failures.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
#define CHECK(x)                                             \
  do {                                                       \
    if (!(x)) {                                              \
      std::printf("line %d: %s\n", __LINE__, #x);            \
      ++failures;                                            \
    }                                                        \
  } while (0)

static const int kThreads = 4;

// --- loops -----------------------------------------------------------------------------------------------------------

template <class T>
static bool once(const std::vector<T>& seen) {
  for (T count : seen)
    if (count != 1) return false;
  return true;
}

static void signed_loops() {
  for (int n : {0, 1, 3, 4, 5, 17, 64}) {
    for (int chunk : {1, 2, 7}) {
      std::vector<int> a(n), b(n), c(n), d(n), e(n);
#pragma omp parallel num_threads(kThreads)
      {
#pragma omp for schedule(dynamic, chunk)
        for (int i = 0; i < n; ++i) a[i]++;
#pragma omp for schedule(guided, chunk)
        for (int i = n - 1; i >= 0; --i) b[i]++;
#pragma omp for schedule(static, chunk) ordered
        for (int i = 0; i < n; ++i) {
#pragma omp ordered
          c[i]++;
        }
#pragma omp for schedule(runtime)
        for (int i = -n; i < 0; ++i) d[-i - 1]++;
#pragma omp for schedule(monotonic : dynamic, chunk) nowait
        for (int i = 0; i < 3 * n; i += 3) e[i / 3]++;
      }
      CHECK(once(a) && once(b) && once(c) && once(d) && once(e));
    }
  }
}

static void unsigned_loops() {
  std::vector<int> up(10), down(10), top(5);
  const unsigned long long kMost = ~0ull;
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp for schedule(dynamic)
    for (unsigned long long i = 100; i < 120; i += 2) up[(i - 100) / 2]++;
#pragma omp for schedule(guided)
    for (unsigned long long i = 30; i > 10; i -= 2) down[(30 - i) / 2]++;
#pragma omp for schedule(dynamic, 2)
    for (unsigned long long i = kMost - 5; i < kMost; ++i) top[i - (kMost - 5)]++;
  }
  CHECK(once(up) && once(down) && once(top));
}

static void ordered_and_lastprivate() {
  std::vector<int> log;
  int last = -1;
#pragma omp parallel for ordered schedule(dynamic, 2) lastprivate(last) num_threads(kThreads)
  for (int i = 0; i < 21; ++i) {
    last = i;
    if (i % 3) {
#pragma omp ordered
      log.push_back(i);
    }
  }
  CHECK(last == 20 && log.size() == 14);
  for (size_t i = 1; i < log.size(); ++i) CHECK(log[i - 1] < log[i]);
}

static void doacross() {
  static int cell[12][9];
  for (auto& row : cell)
    for (int& value : row) value = 1;
#pragma omp parallel for ordered(2) schedule(dynamic) num_threads(kThreads)
  for (int i = 1; i < 12; ++i)
    for (int j = 1; j < 9; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      cell[i][j] = cell[i - 1][j] + cell[i][j - 1];
#pragma omp ordered depend(source)
    }
  CHECK(cell[11][8] == 75582);
  std::vector<long> chain(40, 1);
#pragma omp parallel for ordered(1) schedule(static) num_threads(kThreads)
  for (unsigned long long i = 2; i < 40; ++i) {
#pragma omp ordered depend(sink : i - 1)
    chain[i] = chain[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  CHECK(chain[39] == 39);
}

static void scans() {
  int in[50], inclusive[50], exclusive[50], x = 0, y = 0;
  for (int i = 0; i < 50; ++i) in[i] = i;
#pragma omp parallel for reduction(inscan, + : x) num_threads(kThreads)
  for (int i = 0; i < 50; ++i) {
    x += in[i];
#pragma omp scan inclusive(x)
    inclusive[i] = x;
  }
#pragma omp parallel for reduction(inscan, + : y) num_threads(kThreads)
  for (int i = 0; i < 50; ++i) {
    exclusive[i] = y;
#pragma omp scan exclusive(y)
    y += in[i];
  }
  CHECK(inclusive[49] == 1225 && exclusive[49] == 1176 && inclusive[10] == 55 && exclusive[10] == 45);
}

static void conditional_lastprivate() {
  int last = -1;
#pragma omp parallel for lastprivate(conditional : last) schedule(dynamic, 3) num_threads(kThreads)
  for (int i = 0; i < 50; ++i)
    if (i % 7 == 3) last = i;
  CHECK(last == 45);
}

// --- sections, single ------------------------------------------------------------------------------------------------

static void sections_and_single() {
  int a = 0, b = 0, c = 0, last = 0, ran = 0, copies = 0;
#pragma omp parallel sections num_threads(kThreads) lastprivate(last)
  {
    a = last = 1;
#pragma omp section
    b = last = 2;
#pragma omp section
    c = last = 3;
  }
  CHECK(a == 1 && b == 2 && c == 3 && last == 3);
#pragma omp parallel num_threads(kThreads)
  {
    int mine = 0;
#pragma omp single copyprivate(mine)
    {
      ran++;
      mine = 42;
    }
#pragma omp atomic
    copies += mine;
#pragma omp sections nowait reduction(+ : ran)
    {
      ran += 10;
#pragma omp section
      ran += 100;
    }
  }
  CHECK(ran == 111 && copies == 42 * kThreads);
}

// --- teams and nesting -----------------------------------------------------------------------------------------------

static void nesting() {
  CHECK(omp_get_level() == 0 && !omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
  omp_set_max_active_levels(2);
  int inner = 0, wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner, wrong)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : inner, wrong)
    {
      inner += 1;
      if (omp_get_level() != 2 || omp_get_active_level() != 2 || omp_get_ancestor_thread_num(1) != outer ||
          omp_get_team_size(1) != 3 || omp_get_team_size(2) != 2 || omp_get_ancestor_thread_num(0) != 0 ||
          omp_get_ancestor_thread_num(3) != -1)
        wrong++;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
      if (omp_get_num_threads() != 1 || omp_get_level() != 3 || omp_get_active_level() != 2) wrong++;
    }
  }
  CHECK(inner == 6 && wrong == 0);
  omp_set_max_active_levels(1);
#pragma omp parallel if (0)
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && !omp_in_parallel());
}

static int counter;
#pragma omp threadprivate(counter)

static void threadprivates() {
  counter = 7;
  int wrong = 0;
#pragma omp parallel num_threads(kThreads) copyin(counter) reduction(+ : wrong)
  {
    if (counter != 7) wrong++;
    counter = 100 + omp_get_thread_num();
  }
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  if (counter != 100 + omp_get_thread_num()) wrong++;
  CHECK(wrong == 0 && counter == 100);
}

static void leagues() {
  int teams = 0, numbers = 0, threads = 0;
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : teams, numbers, threads)
  {
    teams += omp_get_num_teams() == 3;
    numbers += omp_get_team_num();
#pragma omp parallel reduction(+ : threads)
    threads += omp_get_num_threads() <= 2;
  }
  CHECK(teams >= 1 && numbers == 3 && threads >= 3);
  std::vector<int> seen(20);
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < 20; ++i) seen[i]++;
  CHECK(once(seen));
}

// --- tasks -----------------------------------------------------------------------------------------------------------

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) final(n < 4)
  a = fib(n - 1);
#pragma omp task shared(b) mergeable untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void plain_tasks() {
  int result = 0, count = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
    result = fib(12);
    for (int i = 0; i < 50; ++i) {
#pragma omp task priority(i)
#pragma omp atomic
      count++;
    }
  }
  CHECK(result == 144 && count == 50);
  result = fib(8);  // outside of any region
  CHECK(result == 21);
}

static void dependent_tasks() {
  int x = 0, order[4] = {}, at = 0, sum = 0, both = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(in : x)
#pragma omp atomic
    sum += x;
#pragma omp task depend(in : x)
#pragma omp atomic
    sum += x;
#pragma omp task depend(inout : x)
    x = 10 + sum;
#pragma omp task if (0) depend(inout : x)
    x *= 2;
    CHECK(x == 24);
    for (int i = 0; i < 4; ++i) {
#pragma omp task depend(inout : order)
      order[at++] = i;
    }
#pragma omp taskwait depend(in : order)
    CHECK(at == 4);
    for (int i = 0; i < 8; ++i) {
#pragma omp task depend(mutexinoutset : both)
      both++;
    }
#pragma omp task depend(in : both)
    CHECK(both == 8);
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp task depend(depobj : object)
    x = 1000;
#pragma omp taskwait depend(in : x)
    CHECK(x == 1000);
#pragma omp depobj(object) destroy
    int cells[5] = {};
#pragma omp task depend(iterator(i = 0 : 5), out : cells[i]) shared(cells)
    for (int& cell : cells) cell = 3;
#pragma omp task depend(in : cells[4]) shared(cells)
    cells[0] = cells[4] + 1;
#pragma omp taskwait
    CHECK(cells[0] == 4);
  }
  CHECK(order[0] == 0 && order[1] == 1 && order[2] == 2 && order[3] == 3);
}

static void taskgroups() {
  int inside = 0, after = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 5; ++i) {
#pragma omp task shared(inside)
      {
#pragma omp task shared(inside)
#pragma omp atomic
        inside++;
      }
    }
    after = inside;
  }
  CHECK(after == 5);
}

static void taskloops() {
  for (int n : {0, 1, 7, 100}) {
    std::vector<int> plain(n), grain(n), many(n), down(n), unsign(n);
#pragma omp parallel num_threads(kThreads)
#pragma omp single
    {
#pragma omp taskloop
      for (int i = 0; i < n; ++i) plain[i]++;
#pragma omp taskloop grainsize(6)
      for (int i = 0; i < n; ++i) grain[i]++;
#pragma omp taskloop num_tasks(9) nogroup
      for (int i = 0; i < 2 * n; i += 2) many[i / 2]++;
#pragma omp taskloop if (0)
      for (int i = n - 1; i >= 0; --i) down[i]++;
#pragma omp taskloop
      for (unsigned long long i = n; i > 0; --i) unsign[i - 1]++;
#pragma omp taskwait
    }
    CHECK(once(plain) && once(grain) && once(many) && once(down) && once(unsign));
  }
  int last = -1;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskloop lastprivate(last) num_tasks(4)
  for (int i = 0; i < 30; ++i) last = i;
  CHECK(last == 29);
}

static void reductions() {
  int sum = 0, loop = 0, region = 0, nested = 0;
#pragma omp parallel num_threads(kThreads) reduction(task, + : region)
  {
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum, nested)
      for (int i = 1; i <= 10; ++i) {
#pragma omp task in_reduction(+ : sum, nested)
        {
          sum += i;
#pragma omp task in_reduction(+ : nested)
          nested += 2;
#pragma omp taskwait
        }
      }
#pragma omp taskloop reduction(+ : loop)
      for (int i = 1; i <= 20; ++i) loop += i;
    }
#pragma omp task in_reduction(+ : region)
    region += 5;
  }
  CHECK(sum == 55 && loop == 210 && region == 5 * kThreads && nested == 20);
  int shared = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp for reduction(task, + : shared) schedule(dynamic)
  for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : shared)
    shared += i;
  }
  CHECK(shared == 45);
  double array[3] = {};
#pragma omp parallel for num_threads(kThreads) reduction(+ : array)
  for (int i = 0; i < 30; ++i) array[i % 3] += i;
  CHECK(array[0] == 135 && array[1] == 145 && array[2] == 155);
}

static void detached() {
  int done = 0, follower = 0;
  omp_event_handle_t event;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
#pragma omp task detach(event) depend(out : done)
    done = 1;
#pragma omp task depend(in : done)
    follower = done + 1;
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(done == 1 && follower == 2);
  }
}

// --- locks, atomics --------------------------------------------------------------------------------------------------

static void locks() {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  int count = 0, depth = 0, tested = 0, unnamed = 0, named = 0;
#pragma omp parallel num_threads(kThreads)
  {
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    if (omp_test_nest_lock(&nest) == 2) depth++;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    while (!omp_test_lock(&lock)) {
    }
    tested++;
    omp_unset_lock(&lock);
#pragma omp critical
    unnamed++;
#pragma omp critical(named)
    named++;
  }
  CHECK(count == kThreads && depth == kThreads && tested == kThreads && unnamed == kThreads && named == kThreads);
  CHECK(omp_test_lock(&lock) && !omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  struct Wide {
    long double value;
  } wide{0};
#pragma omp parallel num_threads(kThreads)
#pragma omp atomic
  wide.value += 2;
  CHECK(wide.value == 2 * kThreads);
}

// --- cancellation ----------------------------------------------------------------------------------------------------

static void cancellation() {
  if (!omp_get_cancellation()) return;
  int found = -1, sections = 0, tasks = 0, after = 0;
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1000; ++i) {
      if (i == 13) {
#pragma omp atomic write
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp atomic
        sections++;
#pragma omp cancel sections
      }
#pragma omp section
#pragma omp atomic
      sections++;
    }
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      {
#pragma omp atomic
        tasks++;
#pragma omp cancel taskgroup
      }
    }
#pragma omp atomic
    after++;
  }
  CHECK(found == 13 && sections >= 1 && tasks >= 1 && after == kThreads);
  int reached = 0;
#pragma omp parallel num_threads(kThreads)
  {
    if (omp_get_thread_num() == 2) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp cancellation point parallel
#pragma omp atomic
    reached++;
  }
  CHECK(reached == 0);
}

// --- settings, target, memory ----------------------------------------------------------------------------------------

static void settings() {
  omp_sched_t kind;
  int chunk;
  omp_set_schedule(omp_sched_guided, 5);
  omp_get_schedule(&kind, &chunk);
  CHECK(kind == omp_sched_guided && chunk == 5);
  omp_set_num_threads(3);
  CHECK(omp_get_max_threads() == 3);
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK(size == 3);
  omp_set_dynamic(1);
  CHECK(omp_get_dynamic());
  omp_set_dynamic(0);
  CHECK(omp_get_wtime() <= omp_get_wtime() && omp_get_wtick() > 0);
  CHECK(omp_is_initial_device() && omp_get_num_procs() >= 1 && omp_in_final() == 0);
}

static void targets() {
  int value = 3, copy = 4, array[10] = {};
#pragma omp target map(tofrom : value) firstprivate(copy)
  {
    value += copy;
    copy = 0;
  }
  CHECK(value == 7 && copy == 4);
#pragma omp target teams distribute parallel for map(tofrom : array)
  for (int i = 0; i < 10; ++i) array[i] += i;
  CHECK(array[9] == 9);
#pragma omp target data map(tofrom : value)
  {
#pragma omp target update to(value)
#pragma omp target nowait map(tofrom : value) depend(out : value)
    value = 50;
#pragma omp target depend(in : value) map(tofrom : value)
    value++;
  }
  CHECK(value == 51);
}

static void memory() {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, traits);
  void* block = omp_alloc(100, allocator);
  CHECK(block && reinterpret_cast<std::uintptr_t>(block) % 256 == 0);
  std::memset(block, 1, 100);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
  auto* zeroed = static_cast<int*>(omp_calloc(10, sizeof(int), omp_default_mem_alloc));
  CHECK(zeroed[9] == 0);
  zeroed = static_cast<int*>(omp_realloc(zeroed, 20 * sizeof(int), omp_default_mem_alloc, omp_default_mem_alloc));
  zeroed[19] = 1;
  CHECK(zeroed[9] == 0);
  omp_free(zeroed, omp_null_allocator);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    int own = 1;
#pragma omp parallel private(own) allocate(omp_default_mem_alloc : own)
    own = 2;
    sum += own;
  }
  CHECK(sum == 2);
}

int main() {
  signed_loops();
  unsigned_loops();
  ordered_and_lastprivate();
  doacross();
  scans();
  conditional_lastprivate();
  sections_and_single();
  nesting();
  threadprivates();
  leagues();
  plain_tasks();
  dependent_tasks();
  taskgroups();
  taskloops();
  reductions();
  detached();
  locks();
  cancellation();
  settings();
  targets();
  memory();
  std::printf("%d failures\n", failures);
  return failures;
}
