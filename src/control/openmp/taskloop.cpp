// taskloop: the iterations, divided into tasks. The task that encounters the loop creates all of them.
#include "control/openmp/reductions.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

struct Taskloop {
  void (*body)(void*);
  void* data;
  void (*copy)(void*, void*);
  long size, align;
  unsigned flags;
  unsigned long tasks;  // or the grain size
  int priority;
  const void* pc;
};

// The number of iterations per task: the first `longer` tasks get one more.
struct Split {
  u64 tasks, each, longer;
};

// Without a clause, enough tasks to keep every thread busy while others take long: the same number as in libomp.
constexpr u64 kTasksPerThread = 10;

Split split(u64 iterations, const Taskloop& loop, u32 threads) {
  u64 tasks = loop.tasks ? loop.tasks : threads * kTasksPerThread;
  if (loop.flags & kGrainsize) {
    u64 grain = loop.tasks ? loop.tasks : 1;
    if (loop.flags & kStrict) return {(iterations + grain - 1) / grain, grain, 0};
    tasks = iterations / grain;
  }
  if (tasks == 0) tasks = 1;
  if (tasks > iterations) tasks = iterations;
  return {tasks, iterations / tasks, iterations % tasks};
}

// The third word of the data, after two that are the program's loop bounds.
uptr* reductions_of(const Taskloop& loop) { return static_cast<uptr**>(loop.data)[2]; }

void run(const Taskloop& loop, u64 start, u64 end, u64 step, u64 iterations) {
  Thread& thread = self();
  bool reduces = (loop.flags & (kNogroup | kReduction)) == kReduction;
  if (iterations == 0 || (globals().cancellation && thread.member->team->cancelled)) {
    if (reduces) reductions_of(loop)[2] = 0;  // shows the program that nothing was registered
    return;
  }
  if (!(loop.flags & kNogroup)) open_group(thread, loop.pc);
  if (reduces) register_reductions(thread, reductions_of(loop));
  Split parts = split(iterations, loop, thread.member->team->size);
  TaskRequest request{.body = loop.body,
                      .data = loop.data,
                      .copy = loop.copy,
                      .size = static_cast<usize>(loop.size),
                      .align = static_cast<usize>(loop.align),
                      .undeferred = !(loop.flags & kIf),
                      .flags = loop.flags & (kUntied | kFinal | kMergeable | kPriority),
                      .priority = loop.priority,
                      .pc = loop.pc,
                      .has_range = true};
  for (u64 i = 0, done = 0; i < parts.tasks; ++i) {
    u64 length = parts.each + (i < parts.longer ? 1 : 0);
    if (length > iterations - done) length = iterations - done;
    request.begin = start + done * step;
    done += length;
    request.end = done == iterations ? end : start + done * step;
    make_task(thread, request);
  }
  if (!(loop.flags & kNogroup)) close_group(thread, loop.pc);
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_taskloop(void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
                                     long align, unsigned flags, unsigned long tasks, int priority,
                                     long start, long end, long step) {
  u64 iterations = 0;
  if (step > 0 && start < end) iterations = (static_cast<u64>(end) - start + step - 1) / step;
  if (step < 0 && start > end) iterations = (static_cast<u64>(start) - end + -step - 1) / -step;
  run({body, data, copy, size, align, flags, tasks, priority, HEDDLE_GOMP_PC}, start, end, step, iterations);
}
HEDDLE_GOMP_ENTRY void GOMP_taskloop_ull(void (*body)(void*), void* data, void (*copy)(void*, void*),
                                         long size, long align, unsigned flags, unsigned long tasks,
                                         int priority, unsigned long long start, unsigned long long end,
                                         unsigned long long step) {
  u64 iterations = 0;
  if ((flags & kUp) && start < end) iterations = (end - start + step - 1) / step;
  if (!(flags & kUp) && start > end) iterations = (start - end + -step - 1) / -step;
  run({body, data, copy, size, align, flags, tasks, priority, HEDDLE_GOMP_PC}, start, end, step, iterations);
}
