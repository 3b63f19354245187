// Tasks that could begin. Each is in the queues of its team (for barriers), its parent (taskwait) and its taskgroup.
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

Queue* queue_of(Task* task, Link link) {
  switch (link) {
    case Link::kTeam:
      return &task->team->ready;
    case Link::kParent:
      return &task->parent->ready_children;
    default:
      return task->belongs_to ? &task->belongs_to->ready : nullptr;
  }
}

constexpr Link kLinks[] = {Link::kTeam, Link::kParent, Link::kGroup};

}  // namespace

bool could_begin(const Task* task) {
  for (uptr address : task->exclusive)
    if (controlled() && !core().available(exclusion_lock(task, address), true, nullptr)) return false;
  return true;
}

uptr exclusion_lock(const Task* task, uptr address) {
  return mix(address ^ reinterpret_cast<uptr>(task->parent) << 20) << 3 >> 17;
}

void make_ready(Task* task) {
  for (Link link : kLinks) {
    Queue* queue = queue_of(task, link);
    if (!queue) continue;
    auto at = static_cast<u32>(link);
    Task* before = queue->last;
    while (before && before->priority < task->priority) before = before->links[at].previous;
    Task* after = before ? before->links[at].next : queue->first;
    task->links[at].previous = before;
    task->links[at].next = after;
    (before ? before->links[at].next : queue->first) = task;
    (after ? after->links[at].previous : queue->last) = task;
  }
}

void take(Task* task) {
  for (Link link : kLinks) {
    Queue* queue = queue_of(task, link);
    if (!queue) continue;
    auto& place = task->links[static_cast<u32>(link)];
    (place.previous ? place.previous->links[static_cast<u32>(link)].next : queue->first) = place.next;
    (place.next ? place.next->links[static_cast<u32>(link)].previous : queue->last) = place.previous;
    place = {};
  }
}

Task* runnable(const Queue& queue, Link link) {
  for (Task* task = queue.first; task; task = task->links[static_cast<u32>(link)].next)
    if (could_begin(task)) return task;
  return nullptr;
}

void release(Task* task) {
  while (task && !task->implicit && --task->references == 0) {
    Task* parent = task->parent;
    destroy_depends(task);
    memory::destroy(task);
    task = parent;
  }
}

}  // namespace heddle::gomp
