// Memory that belongs to a thread, whichever of its tasks, chunks, sections and singles uses it: see "Data that belongs
// to a thread" in docs/internals. What is checked now and what is recorded for later are decided by the same
// questions.
#pragma once

#include "model/kinds.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle {

// Two accesses by tasks that one thread ran, to the same memory: is it the thread's own? Or only under a condition, of
// which nothing is known?
enum class Own : u8 {
  kNo,
  kYes,
  kIfByNumber,     // if both addresses follow from the thread's number
  kIfByName,       // if both tasks reached it through what they have named, and each thread has its own of
  kIfPrivateBlock  // if the pointer to this block of the heap is private
};

// As the raw log names it.
inline const char* condition(Own own) {
  switch (own) {
    case Own::kIfByNumber:
      return "by number";
    case Own::kIfByName:
      return "by name";
    case Own::kIfPrivateBlock:
      return "private block";
    default:
      return nullptr;
  }
}

// The implicit task, and work of the team that is not a task of its own to OpenMP: it runs in the same frames.
inline bool shares_frames(const order::Task& task) {
  auto kind = static_cast<TaskKind>(task.kind);
  return kind == TaskKind::kImplicitTask || kind == TaskKind::kLoopChunk || kind == TaskKind::kSection ||
         kind == TaskKind::kSingle;
}

// One of many pieces of one construct that a thread may run one after the other.
inline bool is_one_of_many(const order::Task& task) {
  auto kind = static_cast<TaskKind>(task.kind);
  return kind == TaskKind::kLoopChunk || kind == TaskKind::kSection;
}

// Do two accesses of one thread to its stack belong to one implicit task, in whose frames they are made? Its chunks,
// sections and singles come one after the other there. Shared are the frames above: those of the function that met the
// construct. A region inside of a chunk is part of the chunk: what two of its parts do to a variable of the chunk's
// implicit task is not ordered by that.
HEDDLE_NOINLINE inline bool in_own_frames(const ThreadState& thread, uptr address, const order::Task& other) {
  if (address < thread.stack_low || address >= thread.stack_high) return false;
  auto runs_here = [&](const order::Task& task) {
    return shares_frames(task) && task.thread.load(std::memory_order_relaxed) == thread.number;
  };
  for (const TaskContext* context = thread.context; context; context = context->outer) {
    const order::Task& own = *context->task;
    if (!runs_here(own)) return false;
    if (address >= context->own_below) continue;
    for (const order::Task* at = &other; at && runs_here(*at); at = at->parent)
      if (at->parent == own.parent) return at != &own;
  }
  return false;
}

// The team in which the task would query its thread number: the one that forked the team. Null outside of any.
inline const order::Task* asks_in_team_of(const order::Task& task) {
  for (const order::Task* at = &task; at; at = at->parent)
    if (shares_frames(*at)) return at->parent;
  return nullptr;
}

// A copy that a runtime system keeps for the thread.
inline bool in_bound_memory(uptr address) {
  Page* page = rt().shadow.find(address);
  return page && page->bound.test((address & (kPageSize - 1)) / 8);
}

// A block that the thread allocated inside the region, in the implicit task or in a chunk: a buffer of its own, or one
// that it gave to all.
HEDDLE_NOINLINE inline bool in_block_of_region(const ThreadState& thread, const HeapBlock& block) {
  return block.size && block.thread == thread.number && block.task &&
         rt().order.find(block.task)->parent == thread.context->task->parent;
}

// What the granules of one block lie in, found out once for all of them. For the time of one check only: memory is
// freed and allocated again.
class Surroundings {
 public:
  explicit Surroundings(uptr block) : block_(block) {}

  bool in_own_tls(uptr address) {
    if (tls_ == Tls::kUnknown)
      tls_ = thread_list::in_own_tls(block_, block_ + kBlockSize) ? Tls::kSome : Tls::kNone;
    return tls_ == Tls::kSome && thread_list::in_own_tls(address, address + 1);
  }
  const HeapBlock& heap_block(uptr address) {
    if (address - heap_.base >= heap_.size) heap_ = rt().heap.around(address);
    return heap_;
  }

 private:
  enum class Tls : u8 { kUnknown, kNone, kSome };
  uptr block_;
  Tls tls_ = Tls::kUnknown;
  HeapBlock heap_;
};

// REQUIRES: the calling thread ran both tasks; it runs that of `now`.
inline Own whose(const ThreadState& thread, uptr address, const order::Task& other,
                 const race::Access& earlier, const race::Access& now, Surroundings& around) {
  const order::Task& task = *thread.context->task;
  auto both = [&](u64 claims) { return (earlier.what & claims) && (now.what & claims); };
  if (in_bound_memory(address)) return Own::kYes;
  // In two teams the same number means nothing: tasks that each make a team of one all get the number 0.
  const bool in_one_team = asks_in_team_of(other) == asks_in_team_of(task);
  if (both(race::kBound) && in_one_team) return Own::kYes;
  if (around.in_own_tls(address)) {
    if (both(race::kBound)) return Own::kYes;
    return both(race::kBound | race::kNamed) || !rt().names_are_known ? Own::kIfByName : Own::kNo;
  }
  if (both(race::kBound | race::kAsked) && in_one_team) return Own::kIfByNumber;
  const bool in_frames = shares_frames(other) && shares_frames(task);
  if (in_frames && in_own_frames(thread, address, other)) return Own::kYes;
  if (!in_frames && !both(race::kNamed)) return Own::kNo;
  const HeapBlock& block = around.heap_block(address);
  if (in_frames && in_block_of_region(thread, block)) return Own::kIfPrivateBlock;
  return both(race::kNamed) && block.named && block.thread == thread.number ? Own::kIfByName : Own::kNo;
}

// The same for annotated data, which remembers one number with an access: its thread. 0: none.
constexpr u32 kOnlyAsked = 1u << 31, kOnlyNamed = 1u << 30;
inline u32 claimed_by(u32 thread, u64 claims) {
  if (claims & race::kBound) return thread;
  const u32 only = (claims & race::kAsked ? kOnlyAsked : 0) | (claims & race::kNamed ? kOnlyNamed : 0);
  return only ? thread | only : 0;
}
inline u64 claims_of(u32 claimed_by) {
  const u64 only =
      (claimed_by & kOnlyAsked ? u64{race::kAsked} : 0) | (claimed_by & kOnlyNamed ? u64{race::kNamed} : 0);
  return claimed_by && !only ? u64{race::kBound} : only;
}

}  // namespace heddle
