#include "runtime/recording/order_recorder.hpp"

#include "runtime/recording/stream.hpp"

namespace heddle::recorder {
namespace {

class OrderRecorder final : public order::Listener {
 public:
  void spawned(Task& parent, Task& child, SpawnKind kind) override {
    child.recorded_as = g_tasks.fetch_add(1, std::memory_order_relaxed);
    Writing writing(own_stream());
    if (!writing) return;
    if ((*writing).expects_depends) {
      (*writing).expects_depends = false;
      (*writing).task = nullptr;
      (*writing).held_parent = &parent;
      (*writing).held_child = &child;
      (*writing).held_kind = kind;
      return;
    }
    put_spawn(*writing, parent, child, kind);
  }
  void not_started(Task& creator, Task& thread) override {
    Writing writing(own_stream());
    if (!writing) return;
    writing.event(thread, Op::kBegin, (*writing).thread);
    writing.event(thread, Op::kEnd);
    writing.event(creator, Op::kJoinThread, thread.recorded_as);
  }
  void ended(Task& task) override {
    Writing writing(own_stream());
    if (!writing) return;
    // Cancelled before it began.
    if (!task.thread.load(std::memory_order_relaxed)) writing.event(task, Op::kBegin, (*writing).thread);
    writing.event(task, Op::kEnd);
  }
  void joined_thread(Task& task, Task& thread) override { record(task, Op::kJoinThread, thread.recorded_as); }
  void waited_for_children(Task& task) override { record(task, Op::kWaitChildren); }
  void opened_group(Task& task) override { record(task, Op::kGroupOpen); }
  void closed_group(Task& task) override { record(task, Op::kGroupClose); }
  void forked(order::Team& team) override {
    team.recorded_as = g_teams.fetch_add(1, std::memory_order_relaxed);
    record(*team.parent, Op::kFork, team.recorded_as);
  }
  void began_in_team(order::Team& team, Task& task) override { begin(Op::kTeamBegin, team, task); }
  void began_team_work(order::Team& team, Task& task) override { begin(Op::kWorkBegin, team, task); }
  void arrived(order::Team& team, Task& task) override { record(task, Op::kBarrierArrive, team.recorded_as); }
  void left_barrier(order::Team& team, Task& before, Task& next) override {
    next.recorded_as = before.recorded_as;
    record(next, Op::kBarrierLeave, team.recorded_as);
  }
  void joined(order::Team& team) override { record(*team.parent, Op::kJoin, team.recorded_as); }
  void published(Task& task, order::SyncObject& object, bool replaces) override {
    if (Writing writing(own_stream()); writing) writing.signal(task.recorded_as, object, replaces);
  }
  void awaited(Task& task, order::SyncObject& object) override {
    if (!object.recorded_as) return;
    if (Writing writing(own_stream()); writing) writing.await(task.recorded_as, object);
  }

 private:
  static void record(const Task& task, Op op, u32 a = 0) {
    if (Writing writing(own_stream()); writing) writing.event(task, op, a);
  }
  static void begin(Op op, const order::Team& team, Task& task) {
    task.recorded_as = g_tasks.fetch_add(1, std::memory_order_relaxed);
    if (Writing writing(own_stream()); writing)
      writing.event(task, op, team.recorded_as, 0, (*writing).thread);
  }
};

OrderRecorder g_order_recorder;

}  // namespace

order::Listener& order_recorder() { return g_order_recorder; }

}  // namespace heddle::recorder
