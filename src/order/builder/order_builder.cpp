#include "order/builder/order_builder.hpp"

namespace heddle::order {
namespace {

using namespace event;

std::vector<Depend> engine_depends(const std::vector<event::Depend>& depends) {
  std::vector<Depend> result;
  for (const event::Depend& d : depends) result.push_back({d.address, d.kind});
  return result;
}
static_assert(static_cast<u8>(event::DependKind::kAllMemory) == static_cast<u8>(DependKind::kAllMemory));

Mode mode(bool write) { return write ? Mode::kWrite : Mode::kRead; }

template <class T>
T& get(std::map<u32, std::unique_ptr<T>>& all, u32 number) {
  auto& found = all[number];
  if (!found) found = std::make_unique<T>();
  return *found;
}

}  // namespace

OrderBuilder::OrderBuilder(Structure& structure) : structure_(structure) {
  entry(0).task = structure.make_root();
  run_on(0, 1);
}

OrderBuilder::Entry& OrderBuilder::entry(u32 number) {
  if (number >= tasks_.size()) tasks_.resize(number + 1);
  return tasks_[number];
}

void OrderBuilder::run_on(u32 number, u32 thread) {
  tasks_[number].thread = thread;
  tasks_[number].task->thread.store(thread, std::memory_order_relaxed);
}

void OrderBuilder::add(const Event& event) {
  Structure& s = structure_;
  std::visit(Handlers{
                 [&](const Spawn& e) {
                   Task& parent = task(e.task);
                   Entry& child = entry(e.child);
                   if (e.kind == SpawnKind::kThread) {
                     child.task = s.spawn_thread(parent);
                     child.thread_end = std::make_unique<SyncObject>();
                     child.creator = &parent;
                     return;
                   }
                   if (e.kind == SpawnKind::kBeside) {
                     child.task = s.spawn_beside(parent);
                     return;
                   }
                   bool undeferred = e.kind == SpawnKind::kUndeferred;
                   child.task = s.spawn(parent, undeferred);
                   child.undeferred = undeferred;
                   child.creator = &parent;
                   if (e.depends.empty()) return;
                   std::vector<Depend> depends = engine_depends(e.depends);
                   child.depends = DependTable::add(parent, *child.task, depends.data(),
                                                    static_cast<u32>(depends.size()));
                 },
                 [&](const Begin& e) {
                   run_on(e.task, e.thread);
                   if (tasks_[e.task].depends) begin_dependent(s, *tasks_[e.task].depends);
                 },
                 [&](const End& e) {
                   Entry& ending = tasks_[e.task];
                   if (ending.depends) end_dependent(s, std::exchange(ending.depends, nullptr));
                   if (ending.thread_end)
                     s.end_thread(*ending.task, *ending.thread_end);
                   else
                     s.end(*ending.task);
                   if (ending.undeferred) s.join_undeferred(*ending.creator, *ending.task);
                 },
                 [&](const JoinThread& e) {
                   Entry& thread = tasks_[e.child];
                   if (thread.creator == &task(e.task))
                     s.join_thread(task(e.task), *thread.task);
                   else
                     s.join_thread(task(e.task), *thread.task, *thread.thread_end);
                 },
                 [&](const WaitChildren& e) { s.wait_children(task(e.task)); },
                 [&](const WaitDepend& e) {
                   std::vector<Depend> depends = engine_depends(e.depends);
                   wait_for_depends(s, task(e.task), depends.data(), static_cast<u32>(depends.size()));
                 },
                 [&](const GroupOpen& e) { s.open_group(task(e.task)); },
                 [&](const GroupClose& e) { s.close_group(task(e.task)); },
                 [&](const Fork& e) { teams_[e.team] = s.fork(task(e.task)); },
                 [&](const TeamBegin& e) {
                   entry(e.task).task = s.implicit_task(*teams_[e.team]);
                   run_on(e.task, e.thread);
                 },
                 [&](const WorkBegin& e) {
                   entry(e.task).task = s.team_work(*teams_[e.team]);
                   run_on(e.task, e.thread);
                 },
                 [&](const BarrierArrive& e) { s.arrive(*teams_[e.team], task(e.task)); },
                 [&](const BarrierLeave& e) {
                   tasks_[e.task].task = s.pass_barrier(*teams_[e.team], task(e.task));
                   run_on(e.task, tasks_[e.task].thread);
                 },
                 [&](const Join& e) { s.join(*teams_[e.team]); },
                 [&](const Signal& e) {
                   SyncObject& object = get(objects_, e.object);
                   if (e.replace)
                     s.publish_only(task(e.task), object);
                   else
                     s.publish(task(e.task), object);
                 },
                 [&](const Await& e) { s.await(task(e.task), get(objects_, e.object)); },
                 [&](const Acquire& e) { s.acquire(task(e.task), get(locks_, e.lock), mode(e.write)); },
                 [&](const Release& e) { s.release(task(e.task), get(locks_, e.lock), mode(e.write)); },
                 [&](const Bind&) {},
                 [&](const event::Access&) {},
                 [&](const event::OneOf<event::NewMemory, event::DetachThread> auto&) {},
             },
             event);
}

}  // namespace heddle::order
