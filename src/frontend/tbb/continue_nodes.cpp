#include "frontend/tbb/continue_nodes.hpp"

namespace heddle::tbb {
namespace {

// d1::continue_receiver
struct Receiver {
  const void* table;
  u8 mutex;
  int predecessors, current, initial_predecessors;
  unsigned priority;
};
static_assert(__builtin_offsetof(Receiver, mutex) == 8 && __builtin_offsetof(Receiver, priority) == 24);

// d1::apply_body_task_bypass
struct BodyTask {
  Task task;
  void* graph;
  unsigned priority;
  void *next, *allocator;
  const Receiver* node;
};
static_assert(__builtin_offsetof(BodyTask, node) == 96);

constinit ByClass g_nodes, g_tasks;

}  // namespace

// A node with a priority queues its task, and a lightweight one creates none: then the last predecessor must acquire
// what the body will. A history cannot express a task that acquires before it begins.
bool makes_task_of_puts(uptr mutex) {
  if (rt().recording) return false;
  const auto* node = reinterpret_cast<const Receiver*>(mutex - __builtin_offsetof(Receiver, mutex));
  return node->priority == 0 && g_nodes.get(node, [](const char* name) {
    return contains(name, "13continue_node") && !contains(name, "lightweight");
  });
}

void learn_from_putters(order::Task& task, const Task& real) {
  const bool of_continue_node = g_tasks.get(&real, [](const char* name) {
    return contains(name, "22apply_body_task_bypass") && contains(name, "14continue_input");
  });
  if (!of_continue_node || rt().recording) return;
  const Receiver& node = *reinterpret_cast<const BodyTask&>(real).node;
  if (Sync* sync = rt().syncs.find(address_of(&node.mutex), SyncTable::kOther))
    rt().order.await(task, sync->object);
}

}  // namespace heddle::tbb
