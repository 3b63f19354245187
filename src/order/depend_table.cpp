#include "order/depend_table.hpp"

namespace heddle::order {

void let_go(DependNode* node) {
  if (!node || node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  for (DependNode* predecessor : node->predecessors) let_go(predecessor);
  memory::destroy(node);
}

void release_predecessors(DependNode& node) {
  for (DependNode* predecessor : node.predecessors) let_go(predecessor);
  node.predecessors.clear();
}

namespace {

DependNode* hold(DependNode* node) {
  node->references.fetch_add(1, std::memory_order_relaxed);
  return node;
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
  // Nodes name the child; locks of mutexinoutset are named after the parent.
  for (Task* task : {&parent, &child}) task->kept.store(true, std::memory_order_relaxed);
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

void DependTable::collect(DependNode& node, const Depend* depends, u32 count) {
  if (all_memory_) node.predecessors.push_back(hold(all_memory_));
  for (u32 i = 0; i < count; ++i) {
    if (depends[i].kind == DependKind::kAllMemory)
      connect_all(node);
    else
      connect(node, depends[i], false);
  }
}

}  // namespace heddle::order
