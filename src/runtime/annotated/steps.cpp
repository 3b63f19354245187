#include "runtime/annotated/steps.hpp"

#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/shadow/block_words.hpp"

namespace heddle::annotated {

namespace {

ExcludingLocksets g_locksets;
struct Range {
  uptr address;
  usize size;
};
Vector<Range>& functions() {
  static Vector<Range>* all = memory::make<Vector<Range>>();
  return *all;
}

// A region of a library that was not there when the program began. Marked accesses are checked again.
void observe_everything() {
  g_regions = true;
  switch_on();
  g_bounds.add_everything();
  g_version.fetch_add(1, std::memory_order_release);
}

// It has returned, or what it was called from was left by a jump.
bool function_is_over(const ThreadState& thread, const Step& step) {
  return step.in_function && static_cast<u32>(thread.top - thread.frames) < step.in_function;
}

}  // namespace

Gaps& all_gaps() {
  static Gaps* gaps = memory::make<Gaps>(g_locksets);
  return *gaps;
}

void destroy(Step* step) { memory::destroy(step); }

Step& step_of(TaskContext& context) {
  if (!context.step) context.step = memory::make<Step>();
  Step& step = *context.step;
  if (step.number != step_number(context)) {
    step.number = step_number(context);
    step.moments.begin();
    step.log.clear();
    step.acquired_writes.clear();
    ++step.region;  // a region ends with the step
  }
  return step;
}

void add_region_function(uptr address, usize size) {
  functions().push_back({address, size});
  g_anything_annotated.store(true, std::memory_order_relaxed);
  g_looks_at_calls = g_regions = true;
  switch_on();
}

void enter_function(ThreadState& thread, uptr pc) {
  if (!running(thread) || !thread.active) return;
  bool is_region = false;
  for (const Range& function : functions()) is_region |= pc - function.address < function.size;
  if (!is_region) return;
  RuntimeScope scope(thread);
  Step& step = step_of(*thread.context);
  if (function_is_over(thread, step)) step.in_function = 0;
  if (step.in_region()) return;  // the outermost counts
  ++step.region;
  step.in_function = static_cast<u32>(thread.top - thread.frames) + 1;
}

void leave_function(ThreadState& thread) {
  if (!thread.context->step || !function_is_over(thread, *thread.context->step)) return;
  thread.context->step->in_function = 0;
  refresh(thread);
}

void locks_changed(ThreadState& thread) {
  TaskContext& context = *thread.context;
  if (g_critical_sections || g_reacquired_locks) {
    const bool inside = context.lockset != 0;
    Step& step = step_of(context);
    if (inside && !step.in_region() && !g_reacquired_locks) ++step.region;
    step.in_section = inside;
  }
  if (context.step && context.step->number == step_number(context))
    context.step->moments.note(context.lockset, g_locksets);
}

void begin_region(ThreadState& thread) {
  if (!running(thread)) return;
  if (!g_regions) observe_everything();
  g_anything_annotated.store(true, std::memory_order_relaxed);
  Step& step = step_of(*thread.context);
  if (!step.in_region()) ++step.region;
  ++step.depth;
}

void end_region(ThreadState& thread) {
  if (running(thread) && thread.context->step && thread.context->step->depth) --thread.context->step->depth;
}

void forget_in_step(uptr begin, uptr end) {
  const ThreadState* thread = self();
  if (!thread || !thread->context || !logged(*thread->context)) return;
  for (uptr at = begin; at < end;) {
    const uptr block = at & ~(kBlockSize - 1), stop = block + kBlockSize < end ? block + kBlockSize : end;
    thread->context->step->log.forget(block, words_touched(at, stop));
    at = stop;
  }
}

}  // namespace heddle::annotated
