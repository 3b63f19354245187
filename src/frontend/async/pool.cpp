// Threads for tasks that are actors. A task has a thread for itself as long as it lasts; afterwards the next task gets it, as threads
// are dear where a program of some hundred tasks is executed thousands of times. Guarded by the baton.
#include <pthread.h>

#include "base/check.hpp"
#include "base/system_call.hpp"
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

HEDDLE_REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// Task bodies are small, and there may be thousands at a time. Only what is touched is memory.
constexpr usize kStackBytes = 1 << 20;

struct Worker {
  u32 work = 0;  // futex: there is something to run
  control::Actor* actor = nullptr;
  void (*run)(void*) = nullptr;
  void* data = nullptr;
  Worker* next = nullptr;  // that has nothing to do, too
};

Worker* g_idle = nullptr;
long g_process = 0;  // whose threads they are: a forked process has none of its parent's

void* work(void* data) {
  auto* worker = static_cast<Worker*>(data);
  attach_thread(nullptr);
  for (;;) {
    while (__atomic_load_n(&worker->work, __ATOMIC_ACQUIRE) == 0) futex_wait(&worker->work, 0);
    worker->work = 0;
    control::begin(worker->actor);
    worker->run(worker->data);
    worker->next = g_idle;
    g_idle = worker;
    control::end();
  }
}

Worker* idle_worker() {
  if (long process = system_call(SYS_getpid); process != g_process) {
    g_process = process;
    g_idle = nullptr;
  }
  Worker* worker = g_idle;
  if (worker) {
    g_idle = worker->next;
    return worker;
  }
  worker = memory::make<Worker>();
  pthread_attr_t attributes;
  pthread_t handle;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  if (real_pthread_create(&handle, &attributes, work, worker) != 0)
    fatal("there is no thread for another task: the machine or a limit of the process allows no more");
  pthread_attr_destroy(&attributes);
  return worker;
}

}  // namespace

void run_as_actor(control::Actor* actor, void (*run)(void*), void* data) {
  Worker* worker = idle_worker();
  worker->actor = actor;
  worker->run = run;
  worker->data = data;
  __atomic_store_n(&worker->work, 1, __ATOMIC_RELEASE);
  futex_wake(&worker->work);
}

}  // namespace heddle::async
