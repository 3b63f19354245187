#include "control/openmp/pool.hpp"

#include <pthread.h>
#include <signal.h>

#include "base/system_call.hpp"

namespace heddle::gomp {

Thread& new_worker_thread();

namespace {

// The values of the mailbox word.
constexpr u32 kStarting = 0, kEmpty = 1, kFull = 2, kQuit = 3;

struct Worker {
  u32 mail = kStarting;
  pthread_t handle = {};
  control::Actor* actor = nullptr;
  Member* member = nullptr;
  void (*be_member)(Thread&, Member&) = nullptr;
  Task* task = nullptr;  // instead of a member
  void (*run_task)(Thread&, Task&) = nullptr;
  Worker* next_idle = nullptr;
};

Worker* g_idle = nullptr;  // of the workers that run tasks

void set(u32& word, u32 value) {
  __atomic_store_n(&word, value, __ATOMIC_RELEASE);
  futex_wake(&word, 2);
}
void wait_while(u32& word, u32 value) {
  while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == value) futex_wait(&word, value);
}

// The forker waits until the thread is here, so threads have the same numbers in every run.
void* work(void* data) {
  auto* worker = static_cast<Worker*>(data);
  Thread& thread = new_worker_thread();
  set(worker->mail, kEmpty);
  for (;;) {
    wait_while(worker->mail, kEmpty);
    if (worker->mail == kQuit) return nullptr;
    Worker job = *worker;
    // From here on the forker may store a new job when it is chosen again.
    set(worker->mail, kEmpty);
    core().begin(job.actor);
    if (job.task) {
      job.run_task(thread, *job.task);
      worker->next_idle = std::exchange(g_idle, worker);
    } else {
      job.be_member(thread, *job.member);
    }
    core().end();
  }
}

// The thread that hands the baton over has blocked its signals: the new thread gets the program's mask.
u64 g_signals = 0;
void note_signals() {
  system_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&g_signals), sizeof(g_signals));
}

Worker* make_worker() {
  auto* worker = memory::make<Worker>();
  pthread_attr_t attributes;
  sigset_t signals{};
  memcpy(&signals, &g_signals, sizeof(g_signals));
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &signals);
  int failed = pthread_create(&worker->handle, &attributes, work, worker);
  pthread_attr_destroy(&attributes);
  if (failed) stop("cannot create another thread for an OpenMP team; use fewer --threads");
  wait_while(worker->mail, kStarting);
  return worker;
}

}  // namespace

// The workers of one thread, at one depth of nesting.
struct Pool {
  Vector<Worker*> workers;
  Pool* deeper = nullptr;
};

void start_members(Thread& forker, Team& team, void (*body)(Thread&, Member&)) {
  Pool** pool = &forker.pool;
  for (u32 i = 0;; ++i) {
    if (!*pool) *pool = memory::make<Pool>();
    if (i == forker.depth) break;
    pool = &(*pool)->deeper;
  }
  Vector<Worker*>& workers = (*pool)->workers;
  note_signals();
  while (workers.size() + 1 < team.size) workers.push_back(make_worker());
  for (u32 i = 1; i < team.size; ++i) {
    Worker* worker = workers[i - 1];
    worker->member = team.members[i];
    worker->actor = core().create("OpenMP thread");
    worker->be_member = body;
    set(worker->mail, kFull);
  }
}

// One after the other, so that destructors of thread-local objects run one at a time.
void end_workers(Thread& thread) {
  for (Pool* pool = std::exchange(thread.pool, nullptr); pool;) {
    for (Worker* worker : pool->workers) {
      set(worker->mail, kQuit);
      pthread_join(worker->handle, nullptr);
      memory::destroy(worker);
    }
    Pool* deeper = pool->deeper;
    memory::destroy(pool);
    pool = deeper;
  }
}

namespace {

struct Assignment {
  control::Actor* actor;
  Task* task;
  void (*run_task)(Thread&, Task&);
};

void start_worker(void* data) {
  auto* assignment = static_cast<Assignment*>(data);
  Worker* worker = g_idle ? std::exchange(g_idle, g_idle->next_idle) : make_worker();
  worker->actor = assignment->actor;
  worker->task = assignment->task;
  worker->run_task = assignment->run_task;
  memory::destroy(assignment);
  set(worker->mail, kFull);
}

}  // namespace

void start_task_actor(control::Actor* actor, Task* task, void (*body)(Thread&, Task&)) {
  note_signals();
  auto* assignment = memory::make<Assignment>();
  *assignment = {actor, task, body};
  core().start_when_chosen(actor, start_worker, assignment);
}

}  // namespace heddle::gomp
