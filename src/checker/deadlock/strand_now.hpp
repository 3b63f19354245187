// The order questions of a Relation, answered by the structure of tasks for the current strand of one. A strand is task
// << 32 | index.
#pragma once

#include "checker/deadlock/relation.hpp"
#include "checker/race/stands_for.hpp"
#include "order/structure.hpp"

namespace heddle::deadlock {

inline SyncEpoch sync_epoch(const order::Task& task) {
  return {u64{task.id} << 32 | task.acquired_at, task.live->released_by_structure_at};
}

class StrandNow {
 public:
  StrandNow(const order::Structure& order, const order::Task& task) : order_(order), task_(task) {}

  u64 strand() const { return u64{task_.id} << 32 | task_.now; }
  SyncEpoch sync_epoch() const { return deadlock::sync_epoch(task_); }
  bool before(u64 strand) const {
    return index_of(strand) <= order_.known_by_structure(*order_.find(task_of(strand)), task_);
  }
  bool obsolete(u64 strand) const { return order_.before_quiescent_point(task_of(strand), index_of(strand)); }
  bool stands_for(u64 strand) const {
    return index_of(strand) >= race::stands_from(*order_.find(task_of(strand)), task_).by_structure;
  }

  static order::TaskId task_of(u64 strand) { return static_cast<order::TaskId>(strand >> 32); }
  static order::Index index_of(u64 strand) { return static_cast<order::Index>(strand); }

 private:
  const order::Structure& order_;
  const order::Task& task_;
};

}  // namespace heddle::deadlock
