// depend clauses of tasks, and the source and sink of doacross loops.
#include "frontend/openmp/omp_task.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::openmp {
namespace {

DependKind kind_of(ompt_dependence_type_t type) {
  switch (type) {
    case ompt_dependence_type_in:
      return DependKind::kIn;
    case ompt_dependence_type_inoutset:
      return DependKind::kInoutset;
    case ompt_dependence_type_mutexinoutset:
      return DependKind::kMutexinoutset;
    case ompt_dependence_type_out_all_memory:
    case ompt_dependence_type_inout_all_memory:
      return DependKind::kAllMemory;
    default:
      return DependKind::kOut;
  }
}

// An iteration of a doacross loop: the team, the number of the loop in the region, and the iteration vector.
uptr iteration_key(const OmpTask& implicit, const ompt_dependence_t* vector, int count) {
  u64 key = mix(reinterpret_cast<u64>(implicit.team) ^ implicit.loops);
  for (int i = 0; i < count; ++i) key = mix(key ^ vector[i].variable.value);
  return key >> 18;  // looks like an address
}

void on_doacross(ThreadState& thread, const ompt_dependence_t* vector, int count) {
  OmpTask* implicit = implicit_of(thread);
  if (!implicit) return;
  uptr key = iteration_key(*implicit, vector, count);
  if (vector[0].dependence_type == ompt_dependence_type_source)
    publish(thread, key, SyncTable::kOther);
  else
    await(thread, key, SyncTable::kOther);
}

void on_dependences(ompt_data_t* data, const ompt_dependence_t* depends, int count) {
  ThreadState* thread = self();
  if (!thread || !running(*thread) || count == 0) return;
  RuntimeScope scope(*thread);
  if (depends[0].dependence_type == ompt_dependence_type_source ||
      depends[0].dependence_type == ompt_dependence_type_sink)
    return on_doacross(*thread, depends, count);
  OmpTask* task = omp_task(data);
  if (!task || !task->parent) return;
  for (int i = 0; i < count; ++i)
    task->clauses.push_back(
        {reinterpret_cast<uptr>(depends[i].variable.ptr), kind_of(depends[i].dependence_type)});
  if (!task->task) return;
  task->depends =
      order::DependTable::add(*task->parent, *task->task, task->clauses.begin(), task->clauses.size());
  recorder::depends(*thread, *task->task, task->clauses.begin(), task->clauses.size());
}

}  // namespace

void register_dependences(ompt_set_callback_t set) {
  set(ompt_callback_dependences, reinterpret_cast<ompt_callback_t>(on_dependences));
}

}  // namespace heddle::openmp
