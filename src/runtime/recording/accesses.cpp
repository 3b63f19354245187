// Accesses of recorded threads.
#include "runtime/recording/recorder.hpp"

#include "runtime/log/raw_log.hpp"
#include "runtime/recording/stream.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/thread_bound.hpp"

namespace heddle::recorder {
namespace {

std::atomic<bool> g_any_bound{false};
bool g_without_accesses = false;

}  // namespace

void note_bound_memory() { g_any_bound.store(true, std::memory_order_relaxed); }
void leave_out_accesses() { g_without_accesses = true; }

namespace {

// As whose() decides it for two, access by access.
Own whose(const ThreadState& thread, const Stream& stream, uptr address, u64 claims) {
  if (HEDDLE_UNLIKELY(g_any_bound.load(std::memory_order_relaxed)) && in_bound_memory(address))
    return Own::kYes;
  const bool in_tls = address - stream.tls_low < stream.tls_size;
  if (in_tls && (claims & race::kBound)) return Own::kYes;
  if (in_tls) return (claims & race::kNamed) || !rt().names_are_known ? Own::kIfByName : Own::kNo;
  const TaskContext& context = *thread.context;
  if (claims & race::kBound) {
    // A history does not tell in which team the number was asked for.
    const Task* team = asks_in_team_of(*context.task);
    return team && asks_in_team_of(*team) ? Own::kIfByNumber : Own::kYes;
  }
  const bool on_stack = address >= thread.stack_low && address < thread.stack_high;
  if (stream.frames && on_stack) {
    if (address < context.own_below) return Own::kYes;
    for (const TaskContext* outer = context.outer; outer && shares_frames(*outer->task); outer = outer->outer)
      if (address < outer->own_below) return Own::kIfPrivateBlock;
  }
  // Its own frames, where it has none but those.
  if (on_stack && address < thread.frames[int{-1} + static_cast<int>(context.stack_base)].frame_address)
    return Own::kNo;
  if (claims & race::kAsked) return Own::kIfByNumber;
  const bool in_region = stream.frames && address - stream.own_low < stream.own_size;
  if (!in_region && !(claims & race::kNamed)) return Own::kNo;
  const HeapBlock block = rt().heap.around(address);
  // What the task itself has allocated matters only once another task comes there.
  const bool own = block.task == context.task->id;
  if (in_region && in_block_of_region(thread, block)) return own ? Own::kYes : Own::kIfPrivateBlock;
  if (!(claims & race::kNamed) || !block.named || block.thread != thread.number) return Own::kNo;
  return own ? Own::kYes : Own::kIfByName;
}

// What is perhaps the thread's is recorded as if it were, and that is said.
HEDDLE_NOINLINE void take_for_own() {
  static std::atomic<bool> said{false};
  if (g_runtime->explored) return control::assume(control::Assumption::kThreadsOwn);
  if (!said.exchange(true))
    raw_log::warning(
        "the history takes for a thread's own what may be shared: blocks that the thread allocated in the "
        "region, and "
        "what tasks that know its number or name its variables reach otherwise. `heddle run` reports races "
        "there");
}

// No other task of its thread is parallel to it: those of a region are joined, those outside of regions take turns with
// it.
bool is_thread(const Task& task) {
  const auto kind = static_cast<TaskKind>(task.kind);
  return kind == TaskKind::kInitialThread || kind == TaskKind::kThread;
}

HEDDLE_NOINLINE void take_task(Stream& stream, const Task& task) {
  release_held(stream);
  name(stream, task.recorded_as);
  stream.task = &task;
  stream.frames = shares_frames(task);
}

}  // namespace

// For the baseline that schedules at every access to memory that may be shared: not to the thread's own stack.
HEDDLE_NOINLINE static void choose_at_access(ThreadState& thread, uptr address, u64 flags, uptr pc) {
  const control::Board* board = control::board();
  if (!board || !board->choose_at_accesses || !control::active()) return;
  if (address >= thread.stack_low && address < thread.stack_high) return;
  thread.active = false;
  control::choose({.op = control::Op::kChoice,
                   .write = (flags & race::kWrite) != 0,
                   .object = address,
                   .what = "accesses memory",
                   .pc = pc});
  thread.active = true;
}

void access(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  Stream& stream = *thread.stream;
  if (HEDDLE_UNLIKELY(stream.busy)) return;
  if (HEDDLE_UNLIKELY(g_in_steps && flags & race::kPlain) && control::active())
    control::touched(address, size, flags & race::kWrite,
                     address >= thread.stack_low && address < thread.stack_high);
  if (HEDDLE_UNLIKELY(g_without_accesses)) return;
  if (HEDDLE_UNLIKELY(g_in_steps)) choose_at_access(thread, address, flags, pc);
  thread.active = false;
  if (HEDDLE_UNLIKELY(g_in_steps)) {
    if (stream.handed_over || (stream.touched && stream.task != thread.context->task)) control::cut();
    // What an atomic operation acquires, it acquires by its own access.
    if (flags & race::kPlain) stream.touched = true;
  }
  stream.busy = true;
  if (HEDDLE_UNLIKELY(stream.task != thread.context->task)) take_task(stream, *thread.context->task);
  u64 first = first_word(Op::kAccess, current_site(thread, pc));
  if (flags & race::kWrite) first |= u64{history::kWriteFlag} << 8;
  if (!(flags & race::kPlain)) first |= u64{history::kAtomicFlag} << 8;
  const Own own = whose(thread, stream, address, thread.context->claims | (flags & race::kBound));
  if (own != Own::kNo) first |= u64{history::kBoundFlag} << 8;
  if (HEDDLE_UNLIKELY(own > Own::kYes) && !is_thread(*thread.context->task)) take_for_own();
  if (HEDDLE_UNLIKELY(address < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = address & ~uptr{7};
  constexpr usize kMost = 0xfff8;  // whole granules
  for (; HEDDLE_UNLIKELY(size > kMost); size -= kMost, address += kMost)
    put(stream, first | kMost << 16, address);
  put(stream, first | size << 16, address);
  stream.busy = false;
  thread.active = true;
}

void record_free(ThreadState& thread, uptr address, usize size, uptr pc) {
  access(thread, address, size, race::kWrite | race::kPlain, pc);
}

}  // namespace heddle::recorder
