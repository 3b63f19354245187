#include "order/depends.hpp"

namespace heddle::order {

void begin_dependent(Structure& structure, DependNode& node) {
  Task& task = *node.task;
  for (DependNode* predecessor : node.predecessors) {
    structure.acquire_snapshot(task,
                               predecessor->at_end);  // before the chain is its own: what is on that is known
    u32 chain = predecessor->task->chain.load(std::memory_order_acquire);
    u32 next = predecessor->task->chain_base + predecessor->task->now + 1;
    if (chain && next < (1u << 31) && !task.chain.load(std::memory_order_relaxed) &&
        !predecessor->chain_taken.exchange(true, std::memory_order_relaxed)) {
      task.chain_base = next;
      task.chain.store(chain, std::memory_order_release);
    }
  }
  release_predecessors(node);
}

void end_dependent(Structure& structure, DependNode* node) {
  node->at_end = structure.snapshot(*node->task);
  let_go(node);
}

void wait_for_depends(Structure& structure, Task& task, const Depend* depends, u32 count) {
  if (!task.live->depends) return;
  DependNode node;
  task.live->depends->collect(node, depends, count);
  for (DependNode* predecessor : node.predecessors) structure.acquire_snapshot(task, predecessor->at_end);
  release_predecessors(node);
}

}  // namespace heddle::order
