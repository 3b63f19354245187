// The entry points of GCC's worksharing loops. Each schedule has its own, for signed and for unsigned loops.
#include "control/openmp/barrier.hpp"
#include "control/openmp/parallel.hpp"

namespace heddle::gomp {
namespace {

u64 count_up(u64 start, u64 end, u64 step) { return (end - start + step - 1) / step; }

LoopRequest signed_loop(Schedule schedule, long start, long end, long step, long chunk, const void* pc) {
  LoopRequest loop{.schedule = schedule, .chunk = static_cast<u64>(chunk), .pc = pc};
  loop.start = static_cast<u64>(start);
  loop.end = static_cast<u64>(end);
  loop.step = static_cast<u64>(step);
  if (step > 0 && start < end) loop.count = count_up(loop.start, loop.end, loop.step);
  if (step < 0 && start > end) loop.count = count_up(loop.end, loop.start, -loop.step);
  return loop;
}

LoopRequest unsigned_loop(Schedule schedule, bool up, u64 start, u64 end, u64 step, u64 chunk,
                          const void* pc) {
  LoopRequest loop{.schedule = schedule, .chunk = chunk, .start = start, .end = end, .step = step, .pc = pc};
  if (up && start < end) loop.count = count_up(start, end, step);
  if (!up && start > end) loop.count = count_up(end, start, -step);
  return loop;
}

// The outermost dimension is shared out.
LoopRequest doacross_loop(Schedule schedule, u32 dimensions, u64 count, u64 chunk, const void* pc) {
  return {
      .schedule = schedule, .chunk = chunk, .end = count, .count = count, .dimensions = dimensions, .pc = pc};
}

template <class T>
bool next(Thread& thread, T* begin, T* end) {
  Chunk chunk;
  if (!next_chunk(thread, chunk)) return false;
  *begin = static_cast<T>(chunk.begin);
  *end = static_cast<T>(chunk.end);
  return true;
}

template <class T>
bool start(const LoopRequest& loop, T* begin, T* end) {
  Thread& thread = self();
  begin_loop(thread, loop);
  // Without a place for bounds, the program computes its iterations itself: only the rest of the construct is needed.
  return begin ? next(thread, begin, end) : true;
}

LoopRequest ordered(LoopRequest loop) {
  loop.ordered = true;
  return loop;
}
LoopRequest with(LoopRequest loop, uptr* reductions, void** memory) {
  loop.reductions = reductions;
  loop.memory = memory;
  return loop;
}

Schedule schedule_of(long number) { return static_cast<Schedule>(static_cast<u32>(number) & ~kMonotonic); }

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;
using ull = unsigned long long;

// --- start ----------------------------------------------------------------------------------------------------------

#define HEDDLE_START(name, kind, wrap)                                                                    \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_##name##_start(long from, long to, long step, long chunk, long* begin, \
                                                  long* end) {                                            \
    return start(wrap(signed_loop(Schedule::kind, from, to, step, chunk, HEDDLE_GOMP_PC)), begin, end);   \
  }                                                                                                       \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_##name##_start(bool up, ull from, ull to, ull step, ull chunk,     \
                                                      ull* begin, ull* end) {                             \
    return start(wrap(unsigned_loop(Schedule::kind, up, from, to, step, chunk, HEDDLE_GOMP_PC)), begin,   \
                 end);                                                                                    \
  }
#define HEDDLE_START_RUNTIME(name, wrap)                                                                   \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_##name##_start(long from, long to, long step, long* begin, long* end) { \
    return start(wrap(signed_loop(Schedule::kRuntime, from, to, step, 0, HEDDLE_GOMP_PC)), begin, end);    \
  }                                                                                                        \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_##name##_start(bool up, ull from, ull to, ull step, ull* begin,     \
                                                      ull* end) {                                          \
    return start(wrap(unsigned_loop(Schedule::kRuntime, up, from, to, step, 0, HEDDLE_GOMP_PC)), begin,    \
                 end);                                                                                     \
  }

HEDDLE_START(static, kStatic, )
HEDDLE_START(dynamic, kDynamic, )
HEDDLE_START(guided, kGuided, )
HEDDLE_START(nonmonotonic_dynamic, kDynamic, )
HEDDLE_START(nonmonotonic_guided, kGuided, )
HEDDLE_START(ordered_static, kStatic, ordered)
HEDDLE_START(ordered_dynamic, kDynamic, ordered)
HEDDLE_START(ordered_guided, kGuided, ordered)
HEDDLE_START_RUNTIME(runtime, )
HEDDLE_START_RUNTIME(nonmonotonic_runtime, )
HEDDLE_START_RUNTIME(maybe_nonmonotonic_runtime, )
HEDDLE_START_RUNTIME(ordered_runtime, ordered)

// With all optional clauses.
#define HEDDLE_START_ANY(name, wrap)                                                                         \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_##name(long from, long to, long step, long kind, long chunk, long* begin, \
                                          long* end, uptr* reductions, void** memory) {                      \
    LoopRequest loop = signed_loop(schedule_of(kind), from, to, step, chunk, HEDDLE_GOMP_PC);                \
    return start(wrap(with(loop, reductions, memory)), begin, end);                                          \
  }                                                                                                          \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_##name(bool up, ull from, ull to, ull step, long kind, ull chunk,     \
                                              ull* begin, ull* end, uptr* reductions, void** memory) {       \
    LoopRequest loop = unsigned_loop(schedule_of(kind), up, from, to, step, chunk, HEDDLE_GOMP_PC);          \
    return start(wrap(with(loop, reductions, memory)), begin, end);                                          \
  }
HEDDLE_START_ANY(start, )
HEDDLE_START_ANY(ordered_start, ordered)

#define HEDDLE_DOACROSS(name, kind)                                                                         \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_doacross_##name##_start(unsigned dimensions, long* counts, long chunk,   \
                                                           long* begin, long* end) {                        \
    return start(doacross_loop(Schedule::kind, dimensions, static_cast<u64>(counts[0]),                     \
                               static_cast<u64>(chunk), HEDDLE_GOMP_PC),                                    \
                 begin, end);                                                                               \
  }                                                                                                         \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_doacross_##name##_start(unsigned dimensions, ull* counts, ull chunk, \
                                                               ull* begin, ull* end) {                      \
    return start(doacross_loop(Schedule::kind, dimensions, counts[0], chunk, HEDDLE_GOMP_PC), begin, end);  \
  }
HEDDLE_DOACROSS(static, kStatic)
HEDDLE_DOACROSS(dynamic, kDynamic)
HEDDLE_DOACROSS(guided, kGuided)

HEDDLE_GOMP_ENTRY bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long* counts, long* begin,
                                                        long* end) {
  return start(doacross_loop(Schedule::kRuntime, dimensions, static_cast<u64>(counts[0]), 0, HEDDLE_GOMP_PC),
               begin, end);
}
HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, ull* counts, ull* begin,
                                                            ull* end) {
  return start(doacross_loop(Schedule::kRuntime, dimensions, counts[0], 0, HEDDLE_GOMP_PC), begin, end);
}
HEDDLE_GOMP_ENTRY bool GOMP_loop_doacross_start(unsigned dimensions, long* counts, long kind, long chunk,
                                                long* begin, long* end, uptr* reductions, void** memory) {
  LoopRequest loop = doacross_loop(schedule_of(kind), dimensions, static_cast<u64>(counts[0]),
                                   static_cast<u64>(chunk), HEDDLE_GOMP_PC);
  return start(with(loop, reductions, memory), begin, end);
}
HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_doacross_start(unsigned dimensions, ull* counts, long kind, ull chunk,
                                                    ull* begin, ull* end, uptr* reductions, void** memory) {
  LoopRequest loop = doacross_loop(schedule_of(kind), dimensions, counts[0], chunk, HEDDLE_GOMP_PC);
  return start(with(loop, reductions, memory), begin, end);
}

// --- next -----------------------------------------------------------------------------------------------------------

#define HEDDLE_NEXT(name)                                                    \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_##name##_next(long* begin, long* end) {   \
    return next(self(), begin, end);                                         \
  }                                                                          \
  HEDDLE_GOMP_ENTRY bool GOMP_loop_ull_##name##_next(ull* begin, ull* end) { \
    return next(self(), begin, end);                                         \
  }

HEDDLE_NEXT(static)
HEDDLE_NEXT(dynamic)
HEDDLE_NEXT(guided)
HEDDLE_NEXT(runtime)
HEDDLE_NEXT(nonmonotonic_dynamic)
HEDDLE_NEXT(nonmonotonic_guided)
HEDDLE_NEXT(nonmonotonic_runtime)
HEDDLE_NEXT(maybe_nonmonotonic_runtime)
HEDDLE_NEXT(ordered_static)
HEDDLE_NEXT(ordered_dynamic)
HEDDLE_NEXT(ordered_guided)
HEDDLE_NEXT(ordered_runtime)

// --- end ------------------------------------------------------------------------------------------------------------

HEDDLE_GOMP_ENTRY void GOMP_loop_end() { end_at_barrier(self(), false, HEDDLE_GOMP_PC); }
HEDDLE_GOMP_ENTRY bool GOMP_loop_end_cancel() {
  return end_at_barrier(self(), globals().cancellation, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_loop_end_nowait() { end_nowait(self()); }

// --- combined with parallel -----------------------------------------------------------------------------------------

#define HEDDLE_PARALLEL_LOOP(name, kind)                                                                  \
  HEDDLE_GOMP_ENTRY void GOMP_parallel_loop_##name(void (*body)(void*), void* data, unsigned threads,     \
                                                   long from, long to, long step, long chunk, unsigned) { \
    LoopRequest loop = signed_loop(Schedule::kind, from, to, step, chunk, HEDDLE_GOMP_PC);                \
    run_region({.body = body, .data = data, .threads = threads, .pc = HEDDLE_GOMP_PC, .loop = &loop});    \
  }
#define HEDDLE_PARALLEL_LOOP_RUNTIME(name)                                                             \
  HEDDLE_GOMP_ENTRY void GOMP_parallel_loop_##name(void (*body)(void*), void* data, unsigned threads,  \
                                                   long from, long to, long step, unsigned) {          \
    LoopRequest loop = signed_loop(Schedule::kRuntime, from, to, step, 0, HEDDLE_GOMP_PC);             \
    run_region({.body = body, .data = data, .threads = threads, .pc = HEDDLE_GOMP_PC, .loop = &loop}); \
  }
HEDDLE_PARALLEL_LOOP(static, kStatic)
HEDDLE_PARALLEL_LOOP(dynamic, kDynamic)
HEDDLE_PARALLEL_LOOP(guided, kGuided)
HEDDLE_PARALLEL_LOOP(nonmonotonic_dynamic, kDynamic)
HEDDLE_PARALLEL_LOOP(nonmonotonic_guided, kGuided)
HEDDLE_PARALLEL_LOOP_RUNTIME(runtime)
HEDDLE_PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
HEDDLE_PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)
