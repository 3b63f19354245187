// Threads for tasks that are actors. A task gets one when it first runs, and has it for itself until it ends; then the next task gets it:
// tasks that never wait for each other, however many, need one thread. Threads are dear where a program of some hundred tasks is
// executed thousands of times. Guarded by the baton: it is taken from here by whoever gives the baton away.
#include <pthread.h>
#include <signal.h>

#include "base/check.hpp"
#include "base/system_call.hpp"
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

HEDDLE_REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// Task bodies are small, and there may be thousands at a time. Only what is touched is memory.
constexpr usize kStackBytes = 1 << 20;

// What an actor is to run.
struct Assignment {
  control::Actor* actor;
  void (*run)(void*);
  void* data;
};

struct Worker {
  u32 work = 0;  // futex: there is something to run
  Assignment assignment = {};
  Worker* next = nullptr;  // that has nothing to do, too
};

Worker* g_idle = nullptr;
long g_process = 0;  // whose threads they are: a forked process has none of its parent's
sigset_t
    g_signals;  // that are blocked: as in the task that made the first one. Those who give the baton away block more

void* work(void* data) {
  auto* worker = static_cast<Worker*>(data);
  attach_thread(nullptr);
  for (;;) {
    while (__atomic_load_n(&worker->work, __ATOMIC_ACQUIRE) == 0) futex_wait(&worker->work, 0);
    worker->work = 0;
    control::begin(worker->assignment.actor);
    worker->assignment.run(worker->assignment.data);
    worker->next = g_idle;
    g_idle = worker;
    control::end();
  }
}

Worker* new_worker() {
  auto* worker = memory::make<Worker>();
  pthread_attr_t attributes;
  pthread_t handle;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setsigmask_np(&attributes, &g_signals);
  if (real_pthread_create(&handle, &attributes, work, worker) != 0)
    fatal("there is no thread for another task: the machine or a limit of the process allows no more");
  pthread_attr_destroy(&attributes);
  return worker;
}

void start_worker(void* data) {
  auto* assignment = static_cast<Assignment*>(data);
  Worker* worker = g_idle;
  if (worker) {
    g_idle = worker->next;
  } else if (ThreadState* thread = self()) {
    Undisturbed guard(*thread);
    worker = new_worker();
  } else {
    worker = new_worker();
  }
  worker->assignment = *assignment;
  memory::destroy(assignment);
  __atomic_store_n(&worker->work, 1, __ATOMIC_RELEASE);
  futex_wake(&worker->work);
}

void forget_other_process() {
  long process = system_call(SYS_getpid);
  if (process == g_process) return;
  g_process = process;
  g_idle = nullptr;
  system_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&g_signals), sizeof(u64));
}

}  // namespace

void run_as_actor(control::Actor* actor, void (*run)(void*), void* data) {
  forget_other_process();
  auto* assignment = memory::make<Assignment>();
  *assignment = {actor, run, data};
  control::start_when_chosen(actor, start_worker, assignment);
}

}  // namespace heddle::async
