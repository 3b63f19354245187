#include "order/depend_table.hpp"

namespace heddle::order {
namespace {

DependNode* hold(DependNode* node) {
  node->references.fetch_add(1, std::memory_order_relaxed);
  return node;
}

void let_go(DependNode* node) {
  if (!node || node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  for (DependNode* predecessor : node->predecessors) let_go(predecessor);
  memory::destroy(node);
}

void discard(Vector<DependNode*>* nodes) {
  if (!nodes) return;
  for (DependNode* node : *nodes) let_go(node);
  memory::destroy(nodes);
}

bool shares_generation(DependKind kind) { return kind != DependKind::kOut; }

DependTable& table_of(Task& parent) {
  if (!parent.live->depends) parent.live->depends = memory::make<DependTable>();
  return *parent.live->depends;
}

}  // namespace

DependTable::~DependTable() {
  by_address_.for_each([](u64, Generation& generation) {
    discard(generation.members);
    discard(generation.before);
  });
  let_go(all_memory_);
}

void DependTable::connect(DependNode& node, const Depend& depend, bool joins_generation) {
  Generation& generation = by_address_[depend.address];
  bool same = generation.members && generation.kind == depend.kind && shares_generation(depend.kind);
  Vector<DependNode*>* wait_for = same ? generation.before : generation.members;
  if (wait_for)
    for (DependNode* predecessor : *wait_for)
      if (predecessor != &node) node.predecessors.push_back(hold(predecessor));
  if (!joins_generation) return;
  if (!same) {
    discard(generation.before);
    generation.before = generation.members;
    generation.members = memory::make<Vector<DependNode*>>();
    generation.kind = depend.kind;
  }
  generation.members->push_back(hold(&node));
}

void DependTable::connect_all(DependNode& node) {
  by_address_.for_each([&](u64, Generation& generation) {
    if (!generation.members) return;
    for (DependNode* predecessor : *generation.members) node.predecessors.push_back(hold(predecessor));
  });
}

DependNode* DependTable::add(Task& parent, Task& child, const Depend* depends, u32 count) {
  DependTable& table = table_of(parent);
  DependNode* node = memory::make<DependNode>();
  node->task = &child;
  child.chain_promised = true;
  if (table.all_memory_) node->predecessors.push_back(hold(table.all_memory_));
  bool all = false;
  for (u32 i = 0; i < count; ++i) all |= depends[i].kind == DependKind::kAllMemory;
  if (all) {
    table.connect_all(*node);
    let_go(table.all_memory_);
    table.all_memory_ = hold(node);
  }
  for (u32 i = 0; i < count; ++i)
    if (depends[i].kind != DependKind::kAllMemory) table.connect(*node, depends[i], true);
  return node;
}

void DependTable::begin(Structure& structure, DependNode& node) {
  Task& task = *node.task;
  for (DependNode* predecessor : node.predecessors) {
    structure.learn(task, predecessor->at_end);  // before the chain is its own: what is on that is known
    u32 chain = predecessor->task->chain.load(std::memory_order_acquire);
    u32 next = predecessor->task->chain_base + predecessor->task->now + 1;
    if (chain && next < (1u << 31) && !task.chain.load(std::memory_order_relaxed) &&
        !predecessor->chain_taken.exchange(true, std::memory_order_relaxed)) {
      task.chain_base = next;
      task.chain.store(chain, std::memory_order_release);
    }
  }
  for (DependNode* predecessor : node.predecessors) let_go(predecessor);
  node.predecessors.clear();
}

void DependTable::finish(Structure& structure, DependNode* node) {
  node->at_end = structure.snapshot(*node->task);
  let_go(node);
}

void DependTable::wait(Structure& structure, Task& task, const Depend* depends, u32 count) {
  if (!task.live->depends) return;
  DependTable& table = *task.live->depends;
  DependNode node;
  if (table.all_memory_) node.predecessors.push_back(hold(table.all_memory_));
  for (u32 i = 0; i < count; ++i) {
    if (depends[i].kind == DependKind::kAllMemory)
      table.connect_all(node);
    else
      table.connect(node, depends[i], false);
  }
  for (DependNode* predecessor : node.predecessors) {
    structure.learn(task, predecessor->at_end);
    let_go(predecessor);
  }
}

}  // namespace heddle::order
