// omp_lock_t and omp_nest_lock_t, in the size that GCC's omp.h gives them. The core knows the holders; the words hold
// only what it does not know: whether the lock is held at all (one task may set it and another unset it), and how
// often.
#include "control/openmp/core.hpp"
#include "control/openmp/tool.hpp"

namespace heddle::gomp {
namespace {

struct Lock {
  u32 held;
};
struct NestLock {
  u32 times;
  u32 unused;
  Task* owner;
};
static_assert(sizeof(Lock) == 4 && sizeof(NestLock) == 16);

uptr id_of(const void* lock) { return reinterpret_cast<uptr>(lock); }

bool is_free(void* lock) { return !static_cast<const Lock*>(lock)->held; }

struct Wish {
  const NestLock* lock;
  const Task* task;
};
// Then no other actor is concerned.
bool holds(const Wish& wish) { return wish.lock->times && wish.lock->owner == wish.task; }

bool can_have(void* data) {
  auto* wish = static_cast<const Wish*>(data);
  return wish->lock->times == 0 || wish->lock->owner == wish->task;
}

void wait_for(Op op, const void* lock, bool (*enabled)(void*), void* data, const char* what, const void* pc) {
  if (controlled())
    core().choose({.op = op,
                   .object = id_of(lock),
                   .enabled = enabled,
                   .data = data,
                   .what = what,
                   .pc = reinterpret_cast<uptr>(pc)});
  else if (enabled && !enabled(data))
    stop("a forked child sets a lock that is held: no thread can unset it there");
}

void gained(const void* lock) {
  if (controlled()) core().gained(id_of(lock), true);
}
// `set_free` ends the lock's state of being held. A step may end before it, while the lock is still held.
template <class SetFree>
void release(const void* lock, ompt_mutex_t kind, const void* pc, SetFree set_free) {
  tool().mutex_released(kind, id_of(lock), pc);
  set_free();
  if (controlled()) core().release(id_of(lock));
  cut();
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void omp_init_lock_with_hint(void* lock, unsigned hint) {
  self();
  static_cast<Lock*>(lock)->held = 0;
  if (controlled()) core().forget(id_of(lock));
  tool().lock_init(ompt_mutex_lock, hint, 0, id_of(lock), HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void omp_init_lock(void* lock) { omp_init_lock_with_hint(lock, 0); }
HEDDLE_GOMP_ENTRY void omp_destroy_lock(void* lock) {
  self();
  tool().lock_destroy(ompt_mutex_lock, id_of(lock), HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void omp_set_lock(void* lock) {
  self();
  tool().mutex_acquire(ompt_mutex_lock, 0, 0, id_of(lock), HEDDLE_GOMP_PC);
  wait_for(Op::kAcquire, lock, is_free, lock, "sets a lock", HEDDLE_GOMP_PC);
  static_cast<Lock*>(lock)->held = 1;
  gained(lock);
  tool().mutex_acquired(ompt_mutex_lock, id_of(lock), HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY int omp_test_lock(void* lock) {
  self();
  tool().mutex_acquire(ompt_mutex_test_lock, 0, 0, id_of(lock), HEDDLE_GOMP_PC);
  wait_for(Op::kTryAcquire, lock, nullptr, nullptr, "tests a lock", HEDDLE_GOMP_PC);
  if (static_cast<Lock*>(lock)->held) {
    if (controlled()) core().looked(reinterpret_cast<uptr>(HEDDLE_GOMP_PC));
    return 0;
  }
  static_cast<Lock*>(lock)->held = 1;
  gained(lock);
  tool().mutex_acquired(ompt_mutex_test_lock, id_of(lock), HEDDLE_GOMP_PC);
  return 1;
}
HEDDLE_GOMP_ENTRY void omp_unset_lock(void* lock) {
  self();
  release(lock, ompt_mutex_lock, HEDDLE_GOMP_PC, [=] { static_cast<Lock*>(lock)->held = 0; });
}

HEDDLE_GOMP_ENTRY void omp_init_nest_lock_with_hint(void* lock, unsigned hint) {
  self();
  *static_cast<NestLock*>(lock) = {};
  if (controlled()) core().forget(id_of(lock));
  tool().lock_init(ompt_mutex_nest_lock, hint, 0, id_of(lock), HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void omp_init_nest_lock(void* lock) { omp_init_nest_lock_with_hint(lock, 0); }
HEDDLE_GOMP_ENTRY void omp_destroy_nest_lock(void* lock) {
  self();
  tool().lock_destroy(ompt_mutex_nest_lock, id_of(lock), HEDDLE_GOMP_PC);
}

namespace {

int take(NestLock* lock, Task* task, ompt_mutex_t kind, const void* pc) {
  if (lock->times++) {
    tool().nest_lock(ompt_scope_begin, id_of(lock), pc);
  } else {
    lock->owner = task;
    gained(lock);
    tool().mutex_acquired(kind, id_of(lock), pc);
  }
  return static_cast<int>(lock->times);
}

}  // namespace

HEDDLE_GOMP_ENTRY void omp_set_nest_lock(void* address) {
  auto* lock = static_cast<NestLock*>(address);
  Wish wish{lock, self().task};
  tool().mutex_acquire(ompt_mutex_nest_lock, 0, 0, id_of(lock), HEDDLE_GOMP_PC);
  if (!holds(wish)) wait_for(Op::kAcquire, lock, can_have, &wish, "sets a nestable lock", HEDDLE_GOMP_PC);
  take(lock, self().task, ompt_mutex_nest_lock, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY int omp_test_nest_lock(void* address) {
  auto* lock = static_cast<NestLock*>(address);
  Wish wish{lock, self().task};
  tool().mutex_acquire(ompt_mutex_test_nest_lock, 0, 0, id_of(lock), HEDDLE_GOMP_PC);
  if (!holds(wish))
    wait_for(Op::kTryAcquire, lock, nullptr, nullptr, "tests a nestable lock", HEDDLE_GOMP_PC);
  if (can_have(&wish)) return take(lock, self().task, ompt_mutex_test_nest_lock, HEDDLE_GOMP_PC);
  if (controlled()) core().looked(reinterpret_cast<uptr>(HEDDLE_GOMP_PC));
  return 0;
}
HEDDLE_GOMP_ENTRY void omp_unset_nest_lock(void* address) {
  self();
  auto* lock = static_cast<NestLock*>(address);
  if (lock->times > 1) {
    --lock->times;
    tool().nest_lock(ompt_scope_end, id_of(lock), HEDDLE_GOMP_PC);
    return;
  }
  release(lock, ompt_mutex_nest_lock, HEDDLE_GOMP_PC, [=] { *lock = {}; });
}
