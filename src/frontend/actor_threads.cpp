// Guarded by the baton: the thread that hands it over takes a worker from here.
#include "frontend/actor_threads.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "base/check.hpp"
#include "base/system_call.hpp"
#include "frontend/interpose.hpp"

namespace heddle {
namespace {

HEDDLE_REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// Task bodies are small, and there may be thousands at a time. Only touched pages take memory.
constexpr usize kStackBytes = 1 << 20;
constexpr usize kGuardBytes = 4096;

// The work of an actor.
struct Assignment {
  control::Actor* actor;
  void (*run)(void*);
  void* data;
};

constexpr u32 kNoWork = 0, kWork = 1;

struct Worker {
  u32 work = kNoWork;  // futex: there is work
  MachineStack stack;
  Assignment assignment = {};
  Worker* next = nullptr;  // the next idle worker
};

// A forked process has no threads of its parent, and no actors; executions fork before the first one is created.
Worker* g_idle = nullptr;
// The blocked signals, as in the task that created the first worker. A thread that hands the baton over blocks more.
sigset_t g_signals;
bool g_signals_known = false;

// The creating thread has more signals blocked. (A thread attribute would do, too, but the C library allocates memory
// for it.)
void* work(void* data) {
  auto* worker = static_cast<Worker*>(data);
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, &g_signals, nullptr, sizeof(u64));
  attach_thread(nullptr, worker->stack);
  for (;;) {
    while (__atomic_load_n(&worker->work, __ATOMIC_ACQUIRE) != kWork) sleep_while(&worker->work, kNoWork);
    worker->work = kNoWork;
    control::begin(worker->assignment.actor);
    worker->assignment.run(worker->assignment.data);
    worker->next = g_idle;
    g_idle = worker;
    control::end();
  }
}

[[noreturn]] void no_more_threads() {
  fatal("there is no thread for another task: the machine or a limit of the process allows no more");
}

// Allocated here, so that nothing needs to query the C library for it: the query allocates memory, and a thread's
// first allocation is expensive.
MachineStack new_stack() {
  const long at = system_call(SYS_mmap, 0, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (at < 0) no_more_threads();
  system_call(SYS_mprotect, at, kGuardBytes, PROT_NONE);
  const uptr low = static_cast<uptr>(at) + kGuardBytes;
  return {low, low + kStackBytes};
}

Worker* new_worker() {
  auto* worker = memory::make<Worker>();
  worker->stack = new_stack();
  pthread_attr_t attributes;
  pthread_t handle;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(worker->stack.low), kStackBytes);
  if (real_pthread_create(&handle, &attributes, work, worker) != 0) no_more_threads();
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
  give_and_wake(&worker->work, kWork);
}

void learn_signals() {
  if (g_signals_known) return;
  g_signals_known = true;
  system_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&g_signals), sizeof(u64));
}

}  // namespace

void run_as_actor(control::Actor* actor, void (*run)(void*), void* data) {
  learn_signals();
  auto* assignment = memory::make<Assignment>();
  *assignment = {actor, run, data};
  control::start_when_chosen(actor, start_worker, assignment);
}

}  // namespace heddle
