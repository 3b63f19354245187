#include "runtime/threads/threads.hpp"

#include <sys/syscall.h>

#include "base/system_call.hpp"
#include "runtime/access/memory_life.hpp"
#include "runtime/log/findings.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/recording/empty_tables.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/thread_list.hpp"
#include "runtime/threads/spare_states.hpp"

namespace heddle {
namespace {

// What the strand has touched.
void make_tables(ThreadState& thread) {
  const bool usual = !thread.stream && thread.number <= spare_states::kUsualThreads;
  thread.sets.allocate(usual ? AccessSets::Pages::kHugeOnceUsed : AccessSets::Pages::kSmall);
  thread.filter = make_filter();
}
void free_tables(ThreadState& thread) {
  thread.sets.release();
  memory::unmap(thread.filter, ThreadState::kFilter * sizeof(FilterEntry));
}

}  // namespace

ThreadState* attach_thread(order::Task* task, MachineStack stack) {
  ThreadState* thread = spare_states::take();
  thread->number = g_runtime->threads.fetch_add(1, std::memory_order_relaxed) + 1;
  constexpr u32 kFrames = 512;  // grows when a program recurses deeper
  thread->frames = thread->top = make_frames(kFrames);
  thread->frames_end = thread->frames + kFrames;
  limit_frames(*thread);
  if (stack.high == 0) stack = find_machine_stack();
  thread->stack_low = stack.low;
  thread->stack_high = stack.high;
  thread->stream = recorder::start(*thread);
  if (g_runtime->explored) {
    thread->most_sites = ThreadState::kFewSites;
    if (g_runtime->initial) {
      thread->sites = g_runtime->initial->sites;
      thread->syncs = g_runtime->initial->syncs;
    }
  }
  if (!thread->filter) {
    if (thread->stream)
      empty_tables::share(*thread);
    else
      make_tables(*thread);
  }
  if (task) {
    thread->context = memory::make<TaskContext>();
    thread->context->task = task;
    task->thread.store(thread->number, std::memory_order_relaxed);
    // An earlier thread's stack may have been here.
    if (task->parent) {
      recorder::begun(*thread, *task);
      recorder::new_memory(*thread, thread->stack_low, thread->stack_high - thread->stack_low);
      new_memory(thread->stack_low, thread->stack_high - thread->stack_low);
    }
  }
  thread->os_id = static_cast<int>(system_call(SYS_gettid));
  thread_list::add(*thread);
  grace::add(thread->reader);
  set_self(thread);
  refresh(*thread);
  return thread;
}

void detach_thread(ThreadState& thread) {
  thread.active = false;
  thread_list::remove(thread);
  set_self(nullptr);
  grace::remove(thread.reader);
  const bool recorded = thread.stream != nullptr;
  if (recorded) {
    recorder::finish(thread.stream);
  } else {
    raw_log::count_reported(thread);
    for (Verdict& verdict : thread.verdicts) {
      if (!verdict.now) continue;
      race::release(verdict.before);
      race::release(verdict.after);
      verdict = {};
    }
  }
  free_frames(thread.frames, static_cast<usize>(thread.frames_end - thread.frames));
  while (TaskContext* context = thread.context) {
    thread.context = context->outer;
    memory::destroy(context);
  }
  if (!spare_states::keep(thread, recorded)) {
    free_tables(thread);
    thread.~ThreadState();
    memory::release(&thread, sizeof thread);
  }
  memory::thread_ends();
}

}  // namespace heddle
