// Atomic operations that the compilers leave to libatomic: on objects of other sizes than 1, 2, 4, 8 and 16 bytes, on
// misaligned ones, and clang's `omp atomic` on long double. They order like those of atomics.cpp.
//
// The library's function does the work, because code that is not instrumented calls it for the same objects. It may
// lock one of its mutexes; that orders nothing in the program, and is no step of an exploration.
#include <dlfcn.h>

#include <type_traits>

#include "base/check.hpp"
#include "frontend/compiler/atomic_order.hpp"
#include "frontend/compiler/hooks.hpp"
#include "runtime/recording/recorder.hpp"

HEDDLE_REAL(void, __atomic_load, heddle::usize, const void*, void*, int);
HEDDLE_REAL(void, __atomic_store, heddle::usize, void*, const void*, int);
HEDDLE_REAL(void, __atomic_exchange, heddle::usize, void*, const void*, void*, int);
HEDDLE_REAL(bool, __atomic_compare_exchange, heddle::usize, void*, void*, const void*, int, int);
HEDDLE_REAL(void*, dlopen, const char*, int);

using namespace heddle;
using namespace heddle::atomics;

namespace {

// Hides what the library does inside: the thread is between two of its choice points, as in a handler of a signal.
class Inside {
 public:
  explicit Inside(ThreadState* thread) : thread_(thread), controlled_(control::active()) {
    if (controlled_) control::enter_handler(reinterpret_cast<uptr>(__builtin_frame_address(0)));
    if (!thread_) return;
    was_active_ = thread_->active;
    thread_->active = false;
  }
  ~Inside() {
    if (thread_) thread_->active = was_active_;
    if (controlled_) control::leave_handler();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  ThreadState* thread_;
  bool controlled_;
  bool was_active_ = false;
};

// A program that was linked without the library, or by a linker that left it out because our definitions suffice.
HEDDLE_NOINLINE void open_library(RealFunction& function) {
  Inside inside(t_self);
  void* library = real_dlopen("libatomic.so.1", RTLD_LAZY);
  void* found = library ? dlsym(library, function.name) : nullptr;
  if (!found) fatal("the program needs libatomic.so.1, which is not there; install libatomic1");
  __atomic_store_n(&function.address, found, __ATOMIC_RELAXED);
}
template <class R, class... Args>
R by_library(Real<R(Args...)>& function, std::type_identity_t<Args>... args) {
  if (HEDDLE_UNLIKELY(!function.known()) && !function.resolve()) open_library(function);
  Inside inside(t_self);
  return function(args...);
}

bool by_program(uptr pc) { return origin_of(pc) == Origin::kProgram; }

struct Variable {
  void* p;
  usize size;
};

void check(ThreadState& thread, Variable variable, bool write, uptr pc, Observed observed) {
  if (observed.access)
    access_range(thread, address_of(variable.p), variable.size, write ? u64{race::kWrite} : u64{0}, pc);
}
// The library reads operands and writes results where the program says.
void check_buffer(const void* at, usize size, bool write, uptr pc) {
  ThreadState* thread = t_self;
  if (!thread || !thread->active) return;
  access_range(*thread, address_of(at), size, race::kPlain | (write ? u64{race::kWrite} : u64{0}), pc);
}

bool equal(const void* a, const void* b, usize size) {
  auto *x = static_cast<const volatile u8*>(a), *y = static_cast<const volatile u8*>(b);
  for (usize i = 0; i < size; ++i)
    if (x[i] != y[i]) return false;
  return true;
}
// In an exploration: has the actor looked at the variable? `same`: was that value there?
struct LookedAt {
  bool any, same;
};
LookedAt looked_at(Variable variable, const void* value, uptr pc) {
  bool same = true;
  const bool any = seen_before(variable.p, variable.size, pc, [&](usize at, usize size, const u64& word) {
    same &= __builtin_memcmp(static_cast<const char*>(value) + at, &word, size) == 0;
  });
  return {any, same};
}

// A step that writes this value.
void begin_write(Variable variable, const void* value, int order, uptr pc) {
  if (!is_step(pc)) return;
  const LookedAt look = looked_at(variable, value, pc);
  begin_step(variable.p, true, look.any && look.same, order, pc);
}
bool would_change(Variable variable, const void* value) {
  return HEDDLE_UNLIKELY(control::active()) && !equal(variable.p, value, variable.size);
}

template <class Operate>
void load(Variable variable, int order, uptr pc, Operate operate) {
  ThreadState* thread = t_self;
  const Observed observed = observe(thread, pc);
  if (!observed) return operate();
  check(*thread, variable, false, pc, observed);
  if (!rt().recording) {
    // A release marks the granule before it writes: its value is never read without the mark.
    operate();
    if (!may_carry_knowledge(variable.p)) return;
  }
  RuntimeScope scope(*thread);
  Sync* sync = known_at(*thread, variable.p);
  if (!sync) {
    operate();
    // A release may have come between the lookup and the load.
    sync = acquires(order) ? known_at(*thread, variable.p) : nullptr;
    if (!sync) return recorder::seen(*thread, nullptr, false);
  }
  order::Snapshot seen;
  {
    SpinGuard guard(sync->object.lock);
    operate();
    seen = sync->object.knowledge;
    recorder::seen(*thread, &sync->object, acquires(order));
  }
  take(*thread, variable.p, static_cast<u32>(variable.size), order, seen);
}

template <class Operate>
void store(Variable variable, int order, uptr pc, Operate operate) {
  ThreadState* thread = t_self;
  const Observed observed = observe(thread, pc);
  if (!observed) return operate();
  check(*thread, variable, true, pc, observed);
  if (orders_nothing(*thread, variable.p, order)) return operate();
  RuntimeScope scope(*thread);
  Released released = to_release(*thread, order);
  // A store that releases nothing ends the release sequence of the variable: it carries an empty clock.
  Sync* sync = released.any ? &sync_of(*thread, variable.p) : known_at(*thread, variable.p);
  if (!sync) return operate();
  SpinGuard guard(sync->object.lock);
  released.leave_at(sync->object, true);
  recorder::written(*thread, sync->object, releases(order), true);
  operate();
}

// `operate` returns whether it wrote; else the operation is a load, ordered by `failure`.
template <class Operate>
bool update(ThreadState& thread, Variable variable, int success, int failure, Operate operate) {
  if (orders_nothing(thread, variable.p, success) && !acquires(failure)) return operate();
  RuntimeScope scope(thread);
  Released released = to_release(thread, success);
  Sync& sync = sync_of(thread, variable.p);
  order::Snapshot seen;
  bool wrote;
  {
    SpinGuard guard(sync.object.lock);
    wrote = operate();
    seen = sync.object.knowledge;
    recorder::seen(thread, &sync.object, acquires(wrote ? success : failure));
    if (wrote && released.any) {
      released.leave_at(sync.object, false);
      recorder::written(thread, sync.object, releases(success), false);
    }
  }
  take(thread, variable.p, static_cast<u32>(variable.size), wrote ? success : failure, seen);
  return wrote;
}

}  // namespace

HEDDLE_DEFINE(void, __atomic_load, usize size, const void* p, void* result, int order) {
  const uptr pc = HEDDLE_CALLER;
  auto operate = [=] { by_library(real___atomic_load, size, p, result, order); };
  if (!by_program(pc)) return operate();
  if (is_step(pc)) begin_step(p, false, seen_before(p, size, pc, [](usize, usize, const u64&) {}), order, pc);
  load({const_cast<void*>(p), size}, order, pc, operate);
  end_step(p, size, false, pc);
  check_buffer(result, size, true, pc);
}

HEDDLE_DEFINE(void, __atomic_store, usize size, void* p, const void* value, int order) {
  const uptr pc = HEDDLE_CALLER;
  auto operate = [=] { by_library(real___atomic_store, size, p, value, order); };
  if (!by_program(pc)) return operate();
  check_buffer(value, size, false, pc);
  begin_write({p, size}, value, order, pc);
  const bool change = would_change({p, size}, value);
  store({p, size}, order, pc, operate);
  end_step(p, size, change, pc);
}

HEDDLE_DEFINE(void, __atomic_exchange, usize size, void* p, const void* value, void* result, int order) {
  const uptr pc = HEDDLE_CALLER;
  auto operate = [=] {
    by_library(real___atomic_exchange, size, p, value, result, order);
    return true;
  };
  if (!by_program(pc)) return static_cast<void>(operate());
  check_buffer(value, size, false, pc);
  begin_write({p, size}, value, order, pc);
  const bool change = would_change({p, size}, value);
  if (const Observed observed = observe(t_self, pc)) {
    check(*t_self, {p, size}, true, pc, observed);
    update(*t_self, {p, size}, order, kRelaxed, operate);
  } else {
    operate();
  }
  end_step(p, size, change, pc);
  check_buffer(result, size, true, pc);
}

HEDDLE_DEFINE(bool, __atomic_compare_exchange, usize size, void* p, void* expected, const void* desired,
              int success, int failure) {
  const uptr pc = HEDDLE_CALLER;
  auto exchange = [=] {
    return by_library(real___atomic_compare_exchange, size, p, expected, desired, success, failure);
  };
  if (!by_program(pc)) return exchange();
  check_buffer(expected, size, false, pc);
  check_buffer(desired, size, false, pc);
  may_be_reused(expected, size);
  const bool changes = !equal(expected, desired, size);
  if (is_step(pc)) {
    const LookedAt look = looked_at({p, size}, expected, pc);
    begin_step(p, true, look.any && (!look.same || !changes), success, pc);
  }
  bool wrote = false;
  if (const Observed observed = observe(t_self, pc)) {
    // Whether it writes must be known before (see atomics.cpp). A failure that was foreseen is a load.
    void* const found = __builtin_alloca(size);
    auto look = [=] { by_library(real___atomic_load, size, p, found, failure); };
    for (bool fails = false; !wrote && !fails;) {
      if (equal(p, expected, size)) {
        check(*t_self, {p, size}, true, pc, observed);
        wrote = update(*t_self, {p, size}, success, failure, exchange);
        fails = !wrote;
      } else {
        load({p, size}, failure, pc, look);
        fails = !equal(found, expected, size);
        if (fails) __builtin_memcpy(expected, found, size);
      }
    }
  } else {
    wrote = exchange();
  }
  end_step(p, size, wrote && changes, pc);
  if (!wrote) check_buffer(expected, size, true, pc);
  return wrote;
}
