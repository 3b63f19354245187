// The engine under real threads: a team runs random task-parallel work, and every structure that threads
// share is used at once. The oracle says nothing here; run it under -fsanitize=thread and
// -fsanitize=address,undefined to look for races and memory errors of our own. HEDDLE_STRESS_ROUNDS sets how
// long.
#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "base/memory.hpp"
#include "checker/race/race_checker.hpp"
#include "event/random/rng.hpp"
#include "order/depends.hpp"

namespace heddle::race {
namespace {

using event::Rng;
using order::Structure;
using order::Task;

constexpr u32 kThreads = 4;
constexpr u32 kLocks = 2;
constexpr u32 kCells = 6;

// What a group waits for.
struct Group {
  std::atomic<u32> unfinished{0};
};

struct Job {
  Task* task = nullptr;
  Job* parent = nullptr;
  Group* group = nullptr;  // that its children join
  Group* member_of = nullptr;
  order::DependNode* depends = nullptr;
  bool undeferred = false;
  std::atomic<u32> unfinished_children{0};
};

struct World {
  Structure order;
  order::SyncObject objects[3];
  std::mutex mutexes[kLocks];
  order::LockObject locks[kLocks];
  Cell cells[kCells];
  SpinLock cell_locks[kCells];
  std::mutex queue_mutex;
  std::deque<Job*> queue;
  std::atomic<u64> reports{0};
};

// The strand of one job as the checker sees it. A lockset is 0 or the number of one lock.
class Context {
 public:
  Context(World& world, Job& job) : world_(world), job_(job) {}
  Task* find(TaskId id) { return world_.order.find(id); }
  bool obsolete(const Access& a) { return world_.order.before_quiescent_point(a.task(), a.index()); }
  bool before_by_structure(const Access& a) {
    return a.index() <= world_.order.known_by_structure(*find(a.task()), *job_.task);
  }
  bool before_in_full(const Access& a) {
    return a.index() <= world_.order.known_in_full(*find(a.task()), *job_.task);
  }
  bool share_a_lock(u32 a, u32 b) { return a && a == b; }
  bool subset(u32 a, u32 b) { return a == 0 || a == b; }
  bool thread_bound(const Access&, const Access&) { return false; }
  race::StandsFrom stands_from(const Access& a) { return race::stands_from(*find(a.task()), *job_.task); }
  race::StandsFrom stands_from(const Access& y, const Access& x) {
    return race::stands_from(*find(y.task()), *find(x.task()));
  }
  u32& position(const race::AccessList&, const Access&) { return position_; }
  void race(const Access&, const Access&, Evidence) {
    world_.reports.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  World& world_;
  Job& job_;
  u32 position_ = 0;
};

class Worker {
 public:
  Worker(World& world, u64 seed) : world_(world), rng_(seed) {}

  void body(Job& job, u32 depth) {
    for (u32 steps = rng_.between(2, 10); steps > 0; --steps) step(job, depth);
  }

  // Runs tasks of anybody while there are unfinished ones.
  void help_until_none(std::atomic<u32>& unfinished) {
    while (unfinished.load(std::memory_order_acquire) > 0)
      if (!run_one()) std::this_thread::yield();
  }

 private:
  void step(Job& job, u32 depth) {
    Structure& order = world_.order;
    switch (rng_.below(depth < 4 ? 14 : 8)) {
      case 0:
        return order.publish(*job.task, world_.objects[rng_.below(3)]);
      case 1:
        return order.publish_only(*job.task, world_.objects[rng_.below(3)]);
      case 2:
        return order.await(*job.task, world_.objects[rng_.below(3)]);
      case 3:
        return locked(job);
      case 8:
        return wait(job);
      case 9:
        return group(job, depth);
      case 10:
        return run(spawn(job, true), depth);
      case 11:
        return dependent(job, depth);
      case 12:
        return push(spawn(job, false));
      case 13:
        return run(spawn(job, false), depth);
      default:
        return access(job, 0);
    }
  }

  void access(Job& job, u32 lockset) {
    u32 which = rng_.below(kCells);
    u64 flags = rng_.percent(20) ? u64{kWrite | kPlain} : u64{kPlain};
    SpinGuard guard(world_.cell_locks[which]);
    Cell& cell = world_.cells[which];
    if (rng_.percent(1)) {
      release(cell);
      cell = {};
      return;
    }
    Context context(world_, job);
    RaceChecker<Context>::check(
        cell, {strand_word(job.task->id, job.task->now), what_word(1, lockset, 0xff, flags)}, context);
  }

  void locked(Job& job) {
    u32 lock = rng_.below(kLocks);
    std::lock_guard guard(world_.mutexes[lock]);
    world_.order.acquire(*job.task, world_.locks[lock], order::Mode::kWrite);
    access(job, lock + 1);
    world_.order.release(*job.task, world_.locks[lock], order::Mode::kWrite);
  }

  void wait(Job& job) {
    help_until_none(job.unfinished_children);
    world_.order.wait_children(*job.task);
  }

  void group(Job& job, u32 depth) {
    auto* mine = new Group;
    Group* outer = std::exchange(job.group, mine);
    world_.order.open_group(*job.task);
    body(job, depth + 1);
    help_until_none(mine->unfinished);
    world_.order.close_group(*job.task);
    job.group = outer;
    delete mine;
  }

  Job* spawn(Job& parent, bool undeferred) {
    auto* job = new Job;
    job->task = world_.order.spawn(*parent.task, undeferred);
    job->parent = &parent;
    job->group = job->member_of = parent.group;
    job->undeferred = undeferred;
    parent.unfinished_children.fetch_add(1, std::memory_order_relaxed);
    job->member_of->unfinished.fetch_add(1, std::memory_order_relaxed);
    return job;
  }

  // Two siblings, the second after the first.
  void dependent(Job& job, u32 depth) {
    order::Depend out{1, DependKind::kOut}, in{1, DependKind::kIn};
    Job* first = spawn(job, false);
    first->depends = order::DependTable::add(*job.task, *first->task, &out, 1);
    Job* second = spawn(job, false);
    second->depends = order::DependTable::add(*job.task, *second->task, &in, 1);
    run(first, depth);
    run(second, depth);
  }

  void push(Job* job) {
    std::lock_guard guard(world_.queue_mutex);
    world_.queue.push_back(job);
  }
  bool run_one() {
    Job* job = nullptr;
    {
      std::lock_guard guard(world_.queue_mutex);
      if (world_.queue.empty()) return false;
      job = world_.queue.back();
      world_.queue.pop_back();
    }
    run(job, 3);
    return true;
  }

  void run(Job* job, u32 depth) {
    if (job->depends) order::begin_dependent(world_.order, *job->depends);
    body(*job, depth + 1);
    if (job->depends) order::end_dependent(world_.order, job->depends);
    world_.order.end(*job->task);
    if (job->undeferred) world_.order.join_undeferred(*job->parent->task, *job->task);
    job->member_of->unfinished.fetch_sub(1, std::memory_order_release);
    job->parent->unfinished_children.fetch_sub(1, std::memory_order_release);
    let_go(*job);
  }

  // A job record lives as long as its children: they count themselves off in it. All go at the end of the
  // test.
  void let_go(Job& job) { done_.emplace_back(&job); }

  World& world_;
  Rng rng_;
  std::deque<std::unique_ptr<Job>> done_;
};

u32 rounds() {
  const char* text = getenv("HEDDLE_STRESS_ROUNDS");
  return text && *text ? static_cast<u32>(atoi(text)) : 20;
}

TEST(Stress, ThreadsShareTheEngine) {
  auto world = std::make_unique<World>();
  Task* root = world->order.make_root();
  std::deque<std::unique_ptr<Worker>> workers;
  for (u32 i = 0; i < kThreads; ++i) workers.push_back(std::make_unique<Worker>(*world, i + 1));
  for (u32 round = 0; round < rounds(); ++round) {
    order::Team* team = world->order.fork(*root);
    Group phase;
    std::barrier all(kThreads);
    std::vector<std::thread> threads;
    for (u32 i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        Job job;
        job.task = world->order.implicit_task(*team);
        job.group = &phase;
        for (u32 barrier = 0;; ++barrier) {
          workers[i]->body(job, 0);
          Task* arrived = job.task;
          world->order.end(*arrived);
          all.arrive_and_wait();
          workers[i]->help_until_none(phase.unfinished);
          all.arrive_and_wait();
          if (barrier == 3) break;
          job.task = world->order.pass_barrier(*team, *arrived);
        }
      });
    for (std::thread& thread : threads) thread.join();
    world->order.join(*team);
  }
  EXPECT_GT(world->order.task_count(), rounds() * kThreads);
}

}  // namespace
}  // namespace heddle::race
