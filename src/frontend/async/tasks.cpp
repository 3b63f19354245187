// Tasks: creation, execution, end.
#include "frontend/async/async.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::async {
namespace {

// A task from its creation to its end.
struct Made : TaskContext {
  Job job;
  bool apart = false;  // a thread, for the order
};

Made* make(ThreadState& creator, const Job& job, TaskKind kind, uptr caller, bool apart) {
  auto* made = memory::make<Made>();
  made->job = job;
  made->apart = apart;
  order::Task& parent = *creator.context->task;
  made->task = apart ? rt().order.spawn_thread(parent) : rt().order.spawn(parent);
  describe(*made->task, kind, current_stack(creator, caller));
  return made;
}

// The end of the body enables the tasks that wait for it.
void finish_job(ThreadState* thread, const Job& job) {
  if (!job.completion) return;
  complete(thread, *job.completion);
  release(*job.completion, 0);
}

void run(ThreadState& thread, Made* made) {
  {
    RuntimeScope scope(thread);
    if (made->job.completion) made->job.completion->run_by.store(thread.number, std::memory_order_relaxed);
    recorder::begun(thread, *made->task);
    enter_task(thread, *made, address_of(__builtin_frame_address(0)));
  }
  made->job.run(made->job.data);
  finish_job(&thread, made->job);
  RuntimeScope scope(thread);
  while (thread.context && thread.context != made) leave_task(thread);
  leave_task(thread);
  if (made->apart) {
    order::SyncObject nobody_joins;
    rt().order.end_thread(*made->task, nobody_joins);
  } else {
    rt().order.end(*made->task);
  }
  if (made->job.finish) --made->job.finish->unfinished;
  memory::destroy(made);
}

// REQUIRES: control::active()
u32 start_actor(ThreadState& creator, const Job& job, TaskKind kind, const char* what, uptr caller,
                bool apart) {
  control::Actor* actor = control::create(what);  // first: executions may differ from here on
  RuntimeScope scope(creator);
  Made* made = make(creator, job, kind, caller, apart);
  if (job.finish) ++job.finish->unfinished;
  run_as_actor(
      actor, [](void* data) { run(*self(), static_cast<Made*>(data)); }, made);
  return control::number(actor);
}

}  // namespace

void start(const Job& job, TaskKind kind, uptr caller) {
  ThreadState* thread = participant();
  if (!thread) {
    job.run(job.data);
    return finish_job(nullptr, job);
  }
  if (control::active()) {
    start_actor(*thread, job, kind, name(kind), caller, false);
    return;
  }
  Made* made;
  {
    RuntimeScope scope(*thread);
    made = make(*thread, job, kind, caller, false);
    if (job.finish) ++job.finish->unfinished;
  }
  run(*thread, made);
}

u32 start_apart(ThreadState& creator, const Job& job, const char* what, uptr caller) {
  return start_actor(creator, job, TaskKind::kPosted, what, caller, true);
}

}  // namespace heddle::async

using namespace heddle;

HEDDLE_ASYNC_API void __heddle_async_spawn(void* finish, int kind, void (*run)(void*), void* data) {
  async::start({run, data, static_cast<async::FinishScope*>(finish), nullptr}, async::kKinds[kind],
               HEDDLE_CALLER);
}

HEDDLE_ASYNC_API void* __heddle_async_spawn_named(void* finish, int kind, void (*run)(void*), void* data,
                                                  void (*drop)(void*), int quiet) {
  auto* completion = memory::make<async::Completion>();
  completion->drop = drop;
  completion->quiet = quiet != 0;
  completion->data = data;
  async::start({run, data, static_cast<async::FinishScope*>(finish), completion}, async::kKinds[kind],
               HEDDLE_CALLER);
  return completion;
}
