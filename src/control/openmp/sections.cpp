// sections: a dynamic loop over their numbers, from 1. And scope, which shares nothing but its reductions.
#include "control/openmp/barrier.hpp"
#include "control/openmp/parallel.hpp"

namespace heddle::gomp {
namespace {

LoopRequest sections(unsigned count, const void* pc) {
  return {.schedule = Schedule::kDynamic,
          .chunk = 1,
          .start = 1,
          .end = count + u64{1},
          .count = count,
          .sections = true,
          .pc = pc};
}

unsigned next(Thread& thread) {
  Chunk chunk;
  return next_chunk(thread, chunk) ? static_cast<unsigned>(chunk.begin) : 0;
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY unsigned GOMP_sections_start(unsigned count) {
  Thread& thread = self();
  begin_loop(thread, sections(count, HEDDLE_GOMP_PC));
  return next(thread);
}
HEDDLE_GOMP_ENTRY unsigned GOMP_sections2_start(unsigned count, uptr* reductions, void** memory) {
  Thread& thread = self();
  LoopRequest request = sections(count, HEDDLE_GOMP_PC);
  request.reductions = reductions;
  request.memory = memory;
  begin_loop(thread, request);
  return next(thread);
}
HEDDLE_GOMP_ENTRY unsigned GOMP_sections_next() { return next(self()); }

HEDDLE_GOMP_ENTRY void GOMP_sections_end() { end_at_barrier(self(), false, HEDDLE_GOMP_PC); }
HEDDLE_GOMP_ENTRY bool GOMP_sections_end_cancel() {
  return end_at_barrier(self(), globals().cancellation, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_sections_end_nowait() { end_nowait(self()); }

HEDDLE_GOMP_ENTRY void GOMP_parallel_sections(void (*body)(void*), void* data, unsigned threads,
                                              unsigned count, unsigned) {
  LoopRequest loop = sections(count, HEDDLE_GOMP_PC);
  run_region({.body = body, .data = data, .threads = threads, .pc = HEDDLE_GOMP_PC, .loop = &loop});
}

HEDDLE_GOMP_ENTRY void GOMP_scope_start(uptr* reductions) {
  Thread& thread = self();
  begin_loop(thread, {.reductions = reductions, .pc = HEDDLE_GOMP_PC});
  end_nowait(thread);
}
