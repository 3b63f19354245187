// Releases, in time. libomp reports a release after it has let the next thread in, which may then acquire before we
// know the released clock: a real order would be missing, and a predicted race look certain. So the releasing entry
// points are wrapped: our release comes first, and the later callback only confirms it. (A nest lock may stay held:
// then the release is undone.)
#include "control/control.hpp"
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {
namespace {

// The locks that the thread holds, in the order of acquisition. OMPT's name of an omp lock is not the program's
// variable, so both are kept.
struct Held {
  ompt_mutex_t kind;
  uptr id;
  const void* variable;
};
__thread Vector<Held>* t_held __attribute__((tls_model("initial-exec"))) = nullptr;
__thread const void* t_variable __attribute__((tls_model("initial-exec"))) = nullptr;
__thread uptr t_released __attribute__((tls_model("initial-exec"))) = 0;
__thread bool t_confirmed __attribute__((tls_model("initial-exec"))) = false;

bool same_construct(ompt_mutex_t a, ompt_mutex_t b) {
  auto plain = [](ompt_mutex_t kind) {
    return kind == ompt_mutex_test_lock        ? ompt_mutex_lock
           : kind == ompt_mutex_test_nest_lock ? ompt_mutex_nest_lock
                                               : kind;
  };
  return plain(a) == plain(b);
}

// Around the real entry point.
class EarlyRelease {
 public:
  EarlyRelease(ompt_mutex_t kind, const void* variable) : thread_(self()) {
    if (!thread_ || !running(*thread_) || !t_held) return;
    if (control::on()) return;  // no other thread runs before the callback
    RuntimeScope scope(*thread_);
    for (u32 i = t_held->size(); i-- > 0 && !released_.id;) {
      const Held& held = (*t_held)[i];
      if (same_construct(held.kind, kind) && (!variable || held.variable == variable)) released_ = held;
    }
    if (!released_.id) return;
    mutex_released(*thread_, released_.kind, released_.id);
    t_released = released_.id;
    t_confirmed = false;
  }
  ~EarlyRelease() {
    if (!released_.id) return;
    t_released = 0;
    if (t_confirmed) return;
    RuntimeScope scope(*thread_);
    t_variable = released_.variable;
    mutex_acquired(*thread_, released_.kind, released_.id, {.waits = false});
    t_variable = nullptr;
  }

 private:
  ThreadState* thread_;
  Held released_{ompt_mutex_lock, 0, nullptr};
};

class Taking {
 public:
  Taking(const void* variable, const void* pc) {
    t_variable = variable;
    t_asks_at = reinterpret_cast<uptr>(pc);
  }
  ~Taking() {
    t_variable = nullptr;
    t_asks_at = 0;
  }
};

}  // namespace

void note_held(ompt_mutex_t kind, uptr id) {
  if (!t_held) t_held = memory::make<Vector<Held>>();
  t_held->push_back({kind, id, t_variable});
}

void note_released(uptr id) {
  for (u32 i = t_held ? t_held->size() : 0; i-- > 0;) {
    if ((*t_held)[i].id != id) continue;
    for (; i + 1 < t_held->size(); ++i) (*t_held)[i] = (*t_held)[i + 1];
    t_held->pop_back();
    return;
  }
}

bool confirms_early_release(uptr id) {
  if (t_released != id) return false;
  t_confirmed = true;
  return true;
}

}  // namespace heddle::openmp

using heddle::openmp::EarlyRelease;
using heddle::openmp::Taking;

HEDDLE_ENTRY void __kmpc_end_critical(void* location, int gtid, void* variable) {
  HEDDLE_FIND_REAL(__kmpc_end_critical);
  EarlyRelease release(ompt_mutex_critical, nullptr);
  real(location, gtid, variable);
}
HEDDLE_ENTRY void GOMP_critical_end() {
  HEDDLE_FIND_REAL(GOMP_critical_end);
  EarlyRelease release(ompt_mutex_critical, nullptr);
  real();
}
HEDDLE_ENTRY void GOMP_critical_name_end(void** variable) {
  HEDDLE_FIND_REAL(GOMP_critical_name_end);
  EarlyRelease release(ompt_mutex_critical, nullptr);
  real(variable);
}
HEDDLE_ENTRY void GOMP_atomic_end() {
  HEDDLE_FIND_REAL(GOMP_atomic_end);
  EarlyRelease release(ompt_mutex_atomic, nullptr);
  real();
}
HEDDLE_ENTRY void __kmpc_end_ordered(void* location, int gtid) {
  HEDDLE_FIND_REAL(__kmpc_end_ordered);
  EarlyRelease release(ompt_mutex_ordered, nullptr);
  real(location, gtid);
}
HEDDLE_ENTRY void GOMP_ordered_end() {
  HEDDLE_FIND_REAL(GOMP_ordered_end);
  EarlyRelease release(ompt_mutex_ordered, nullptr);
  real();
}

HEDDLE_ENTRY void omp_set_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_set_lock);
  Taking taking(lock, __builtin_return_address(0));
  real(lock);
}
HEDDLE_ENTRY int omp_test_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_test_lock);
  Taking taking(lock, __builtin_return_address(0));
  return real(lock);
}
HEDDLE_ENTRY void omp_unset_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_unset_lock);
  EarlyRelease release(ompt_mutex_lock, lock);
  real(lock);
}
HEDDLE_ENTRY void omp_set_nest_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_set_nest_lock);
  Taking taking(lock, __builtin_return_address(0));
  real(lock);
}
HEDDLE_ENTRY int omp_test_nest_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_test_nest_lock);
  Taking taking(lock, __builtin_return_address(0));
  return real(lock);
}
HEDDLE_ENTRY void omp_unset_nest_lock(void* lock) {
  HEDDLE_FIND_REAL(omp_unset_nest_lock);
  EarlyRelease release(ompt_mutex_nest_lock, lock);
  real(lock);
}
