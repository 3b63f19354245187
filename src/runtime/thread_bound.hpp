// Memory that belongs to a thread, whichever of its chunks, sections and singles uses it: see "Data that belongs to a thread" in
// docs/ARCHITECTURE.md. What is judged now and what is recorded for later are decided by the same questions.
#pragma once

#include "runtime/runtime.hpp"

namespace heddle {

// The implicit task, and work of the team that is not a task of its own to OpenMP: it runs in the same frames.
inline bool shares_frames(const order::Task& task) {
  auto kind = static_cast<TaskKind>(task.kind);
  return kind == TaskKind::kImplicitTask || kind == TaskKind::kLoopChunk || kind == TaskKind::kSection ||
         kind == TaskKind::kSingle;
}

// Do two accesses of one thread to its stack belong to one implicit task, in whose frames they are made? Its chunks, sections and singles come
// one after the other there. Shared are the frames above: those of the function that met the construct. A region inside of a chunk
// is part of the chunk: what two of its parts do to a variable of the chunk's implicit task is not ordered by that.
HEDDLE_NOINLINE inline bool in_own_frames(const ThreadState& thread, uptr address, const order::Task& other) {
  if (address < thread.stack_low || address >= thread.stack_high) return false;
  auto runs_here = [&](const order::Task& task) {
    return shares_frames(task) && task.thread.load(std::memory_order_relaxed) == thread.number;
  };
  const order::Task* seen = nullptr;
  for (const TaskContext* context = thread.context; context; context = context->outer) {
    const order::Task& own = *context->task;
    if (!runs_here(own)) return false;
    if (&own == seen || address >= context->own_below) continue;
    seen = &own;
    for (const order::Task* at = &other; at && runs_here(*at); at = at->parent)
      if (at->parent == own.parent) return at != &own;
  }
  return false;
}

// In which team the task would ask for its thread number: the one who made the team. Null outside of any.
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

// A buffer that the thread allocated for itself inside the region, and uses in the chunks it gets.
HEDDLE_NOINLINE inline bool in_own_block(const ThreadState& thread, uptr address) {
  HeapBlock block = rt().heap.around(address);
  return block.size && block.thread == thread.number && block.task &&
         rt().order.find(block.task)->parent == thread.context->task->parent;
}

// order::Task::flags: it has asked for an element that each thread has of its own (enumerable_thread_specific).
constexpr u16 kUsesThreadElement = 1;

// What such an element holds: a block that the thread allocated in a task that had asked, too.
HEDDLE_NOINLINE inline bool in_block_of_element(const ThreadState& thread, uptr address) {
  HeapBlock block = rt().heap.around(address);
  return block.size && block.thread == thread.number && block.task &&
         (rt().order.find(block.task)->flags & kUsesThreadElement);
}

}  // namespace heddle
