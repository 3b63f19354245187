#include "runtime/races/strand.hpp"

#include "base/check.hpp"
#include "runtime/races/shared_marks.hpp"

namespace heddle {
namespace {

// Sixteen million strands on one thread: what older stamps mean must be forgotten before they are used again.
void start_stamps_again(ThreadState& thread) {
  for (u32 slot = 0; slot < AccessSets::kBlocks; ++slot) thread.sets.blocks[slot].tag = 0;
  for (u32 slot = 0; slot < AccessSets::kLines; ++slot) thread.sets.lines[slot].tag = 0;
  for (u32 slot = 0; slot < ThreadState::kFilter; ++slot) thread.filter[slot] = {};
  for (ThreadState::OrderCache& entry : thread.order_cache) entry = {};
  for (Verdict& verdict : thread.verdicts) verdict.stamp = 0;
  thread.stamp = thread.order_stamp = thread.marks_stamp = 1;
  thread.mark_sharers = {};
  thread.marks_stamped = 0;
}

}  // namespace

void refresh(ThreadState& thread) {
  const TaskContext* context = thread.context;
  HEDDLE_CHECK(thread.sets.dirty_count == 0);  // too late to check anything: the strand has changed
  if (!running(thread) || thread.inside || thread.ignore || !g_runtime->enabled ||
      !(g_runtime->options.races || thread.stream)) {
    thread.active = false;
    thread.strand = thread.marked = thread.sets.stamp = thread.sets.read_stamp = 0;
    return;
  }
  if (thread.stream) {  // nothing is known, so every access comes to the slow path
    thread.strand = thread.marked = thread.sets.stamp = thread.sets.read_stamp = 0;
    // A history has everything; an exploration needs only what something else may be parallel to.
    thread.quiescent = g_runtime->explored && g_runtime->order.quiescent(*context->task);
    thread.active = true;
    return;
  }
  const bool in_region = HEDDLE_UNLIKELY(g_observer != nullptr) && g_observer->refreshed(thread);
  thread.strand = race::strand_word(context->task->id, context->task->now);
  thread.what = race::what_word(0, context->lockset, 0, context->claims);
  const u64 released = race::strand_word(context->task->id, context->task->live->released_at);
  if (thread.strand != thread.stamped || released != thread.marks_stamped) {
    thread.stamped = thread.strand;
    const u64 knowledge = u64{context->task->id} << 32 | context->task->acquired_at;
    if (knowledge != thread.order_stamped) {
      thread.order_stamped = knowledge;
      ++thread.order_stamp;
    }
    if (++thread.stamp >= AccessSets::kLastStamp) start_stamps_again(thread);
    const bool hands_over = context->task->last_signal.load(std::memory_order_relaxed) != 0;
    thread.at_once.begin_strand(thread.stamp, hands_over, context->lockset != 0);
  }
  const bool forgotten = !thread.marks_stamped, marks_end = released != thread.marks_stamped;
  if (marks_end) {
    thread.marks_stamped = released;
    thread.marks_stamp = thread.stamp;
  }
  thread.sets.stamp = u64{thread.marks_stamp} << AccessSets::kNumberBits;
  if (marks_end) share_marks(thread, forgotten);
  thread.sets.read_stamp = thread.mark_sharers.current;
  // What the filter knows is from before the region.
  thread.marked = HEDDLE_UNLIKELY(in_region) ? 0 : thread.marks_stamp;
  thread.quiescent = g_runtime->order.quiescent(*context->task);
  thread.active = true;
}

}  // namespace heddle
