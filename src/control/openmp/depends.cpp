// depend clauses. For each address the parent keeps the last two generations of tasks that named it: tasks of one
// generation (several `in`, several `mutexinoutset`) do not wait for each other; each waits for all of the previous
// generation.
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

struct Place {
  DependKind kind = DependKind::kOut;
  Vector<Task*> current;
  Vector<Task*> before;
};

void follow(Task* task, const Vector<Task*>& predecessors) {
  for (Task* predecessor : predecessors) {
    if (predecessor->complete || predecessor == task) continue;
    Vector<Task*>& successors = predecessor->successors;
    if (!successors.empty() && successors.back() == task) continue;
    successors.push_back(task);
    retain(task);
    ++task->predecessors;
  }
}

void release_all(Vector<Task*>& tasks) {
  for (Task* task : tasks) release(task);
  tasks.clear();
}

ompt_dependence_type_t tool_kind(DependKind kind) {
  switch (kind) {
    case DependKind::kIn:
      return ompt_dependence_type_in;
    case DependKind::kMutexinoutset:
      return ompt_dependence_type_mutexinoutset;
    case DependKind::kInoutset:
      return ompt_dependence_type_inoutset;
    default:
      return ompt_dependence_type_inout;
  }
}

// One clause per address: a write includes a read.
void add_clause(Vector<Depend>& clauses, void* address, DependKind kind) {
  for (Depend& clause : clauses) {
    if (clause.address != reinterpret_cast<uptr>(address)) continue;
    if (clause.kind != kind) clause.kind = DependKind::kOut;
    return;
  }
  clauses.push_back({reinterpret_cast<uptr>(address), kind});
}

DependKind depobj_kind(uptr number) {
  constexpr uptr kIn = 1, kMutexinoutset = 4, kInoutset = 5;
  return number == kIn              ? DependKind::kIn
         : number == kMutexinoutset ? DependKind::kMutexinoutset
         : number == kInoutset      ? DependKind::kInoutset
                                    : DependKind::kOut;
}

}  // namespace

struct DependTable {
  HashMap<Place*> places;
};

// There are two formats. The older one: the number of clauses, the number of writes, the addresses. The newer one,
// marked by a zero: the number of clauses, the numbers of out or inout, mutexinoutset and in; the addresses in this
// order; the rest are depend objects (address and kind).
void read_depends(void** depend, Vector<Depend>& clauses) {
  auto number = [&](usize at) { return reinterpret_cast<uptr>(depend[at]); };
  if (usize all = number(0)) {
    for (usize i = 0; i < all; ++i)
      add_clause(clauses, depend[2 + i], i < number(1) ? DependKind::kOut : DependKind::kIn);
    return;
  }
  usize all = number(1), outs = number(2), mutexes = number(3), ins = number(4);
  for (usize i = 0; i < all; ++i) {
    void* address = depend[5 + i];
    if (i < outs) {
      add_clause(clauses, address, DependKind::kOut);
    } else if (i < outs + mutexes) {
      add_clause(clauses, address, DependKind::kMutexinoutset);
    } else if (i < outs + mutexes + ins) {
      add_clause(clauses, address, DependKind::kIn);
    } else {
      auto* object = static_cast<void**>(address);
      add_clause(clauses, object[0], depobj_kind(reinterpret_cast<uptr>(object[1])));
    }
  }
}

void add_depends(Task* parent, Task* task, const Vector<Depend>& clauses, bool later_ones_wait) {
  if (!parent->depends) parent->depends = memory::make<DependTable>();
  for (const Depend& clause : clauses) {
    Place*& place = parent->depends->places[clause.address];
    if (!place) place = memory::make<Place>();
    bool joins = clause.kind != DependKind::kOut && place->kind == clause.kind && !place->current.empty();
    follow(task, joins ? place->before : place->current);
    if (clause.kind == DependKind::kMutexinoutset) {
      task->exclusive.push_back(clause.address);
      for (u32 i = task->exclusive.size() - 1; i > 0 && task->exclusive[i - 1] > task->exclusive[i]; --i)
        std::swap(task->exclusive[i - 1], task->exclusive[i]);
    }
    if (!later_ones_wait) continue;
    if (!joins) {
      release_all(place->before);
      for (Task* earlier : place->current) place->before.push_back(earlier);
      place->current.clear();
      place->kind = clause.kind;
    }
    place->current.push_back(task);
    retain(task);
  }
}

void tell_depends(Task* task, const Vector<Depend>& clauses) {
  Vector<ompt_dependence_t> told;
  for (const Depend& clause : clauses) {
    ompt_dependence_t one{};
    one.variable.ptr = reinterpret_cast<void*>(clause.address);
    one.dependence_type = tool_kind(clause.kind);
    told.push_back(one);
  }
  tool().dependences(&task->tool, told.begin(), static_cast<int>(told.size()));
}

u64 new_search() {
  static u64 searches = 0;
  return ++searches;
}

void destroy_depends(Task* parent) {
  if (!parent->depends) return;
  DependTable* table = std::exchange(parent->depends, nullptr);
  table->places.for_each([](u64, Place* place) {
    release_all(place->before);
    release_all(place->current);
    memory::destroy(place);
  });
  memory::destroy(table);
}

}  // namespace heddle::gomp
