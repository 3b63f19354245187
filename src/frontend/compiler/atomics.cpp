// Atomic operations and fences: __tsan_atomic{8,16,32,64,128}_*. The hook performs the operation itself.
//
// An atomic variable carries a vector clock (C++ [atomics.order]): a release store replaces it, a release
// read-modify-write joins into it (release sequences), an acquire load acquires it. The operation and the clock
// update are under the lock of the variable: otherwise a load could read one store's value and another one's clock.
// Relaxed operations work with fences: a release fence keeps the clock for later relaxed stores, an acquire fence
// acquires what earlier relaxed loads read.
#include "frontend/access_section.hpp"
#include "frontend/compiler/atomic_order.hpp"
#include "frontend/compiler/hooks.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/access_mode.hpp"

using namespace heddle;
using namespace heddle::atomics;

namespace {

using order::Snapshot;

// Loads and stores of 16 bytes are not atomic on their own; a compare-and-swap is.
using u128 = unsigned __int128;

template <class T>
T real_load(T* p) {
  if constexpr (sizeof(T) == 16)
    return __sync_val_compare_and_swap(p, T{0}, T{0});
  else
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
template <class T, class Change>
T real_update(T* p, Change change) {  // returns the old value
  T old = real_load(p);
  for (;;) {
    T seen = __sync_val_compare_and_swap(p, old, change(old));
    if (seen == old) return old;
    old = seen;
  }
}

// A frontend may let the code of its library read another value.
template <class T>
T unobserved_load(const ThreadState* thread, T* p, uptr pc) {
  const T value = real_load(p);
  if constexpr (sizeof(T) <= sizeof(u64))
    if (HEDDLE_UNLIKELY(code::g_any) && thread && code::g_library.loaded)
      return static_cast<T>(code::g_library.loaded(code::here(*thread, pc), value, sizeof value));
  return value;
}

template <u32 size>
HEDDLE_NOINLINE HEDDLE_IN_ACCESS_SECTION void access_words(ThreadState& thread, uptr address, bool write,
                                                           uptr pc) {
  access_whole_words<Strength::kAtomic>(thread, address, size, write, pc);
}

// Words are pending like plain ones, or checked at once where the strand has just begun.
template <class T>
void check(ThreadState& thread, const volatile T* p, bool write, uptr pc, Observed observed) {
  if (HEDDLE_UNLIKELY(!observed.access)) return;
  uptr address = reinterpret_cast<uptr>(p);
  u64 flags = write ? u64{race::kWrite} : u64{0};
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
    if (address % sizeof(T) == 0 && g_mode->pends_atomics)
      return access_words<sizeof(T)>(thread, address, write, pc);
  if constexpr (sizeof(T) == 16)
    access_range(thread, address, 16, flags, pc);
  else
    access_small(thread, address, sizeof(T), flags, pc);
}

// A later fence acquires what was read: the strand continues.
template <class T>
T load_relaxed(ThreadState& thread, const volatile T* p) {
  Undisturbed guard(thread);
  T* target = const_cast<T*>(p);
  Sync* sync = known_at(thread, p);
  if (!sync) return real_load(target);
  Snapshot seen;
  T value;
  {
    SpinGuard hold(sync->object.lock);
    value = real_load(target);
    seen = sync->object.knowledge;
  }
  take(thread, p, sizeof(T), kRelaxed, seen);
  return value;
}

// Does the task's clock cover the variable's? REQUIRES: the object's lock.
bool is_known(const order::Task& task, const order::SyncObject& object) {
  if (order::Structure::knows(task, object)) return true;
  // What several tasks released names no strand: there is nothing but to compare.
  if (object.knowledge.chain || g_observer) return false;
  order::Knowledge both = task.live->knows;
  return !both.join(object.knowledge);
}

// Surely something to acquire: the lock need not be taken, which others want, too, to find that out.
bool has_named_news(const ThreadState& thread, const order::SyncObject& object) {
  return object.look(*thread.context->task) == order::SyncObject::Look::kNews;
}

// A read-modify-write that releases nothing, and acquires nothing new, or leaves that to a later fence: the strand
// continues. The variable keeps its clock: the operation continues the release sequence (C++ [intro.races]).
template <class T, class Operate>
bool operate_without_news(ThreadState& thread, const volatile T* p, bool acquires, T& old, Operate operate) {
  if (rt().recording || g_observer) return false;
  Undisturbed guard(thread);
  Sync* sync = known_at(thread, p);
  if (!sync || (acquires && has_named_news(thread, sync->object))) return false;
  Snapshot seen;
  {
    SpinGuard hold(sync->object.lock);
    const bool known = is_known(*thread.context->task, sync->object);
    if (!known && acquires) return false;
    old = operate();
    if (!known) seen = sync->object.knowledge;
  }
  take(thread, p, sizeof(T), kRelaxed, seen);
  return true;
}

// The task's clock already covers the variable's: the strand continues.
template <class T>
bool load_without_news(ThreadState& thread, const volatile T* p, T& value) {
  Undisturbed guard(thread);
  Sync* sync = known_at(thread, p);
  if (!sync || has_named_news(thread, sync->object)) return false;
  bool known = false;
  if (sync->object.undisturbed([&] {
        value = real_load(const_cast<T*>(p));
        known = sync->object.names_what_is_known_to(*thread.context->task);
      }) &&
      known)
    return true;
  SpinGuard hold(sync->object.lock);
  if (!is_known(*thread.context->task, sync->object)) return false;
  value = real_load(const_cast<T*>(p));
  return true;
}

template <class T>
T load_seen(const volatile T* p, int order, uptr pc) {
  ThreadState* thread = t_self;
  T* target = const_cast<T*>(p);
  const Observed observed = observe(thread, pc);
  if (!observed) return unobserved_load(thread, target, pc);
  check(*thread, p, false, pc, observed);
  if (!rt().recording) {
    // A release marks the granule before it writes: its value is never read without the mark.
    T value = real_load(target);
    if (!may_carry_knowledge(p)) return value;
    if (!acquires(order)) return load_relaxed(*thread, p);
    if (load_without_news(*thread, p, value)) return value;
  }
  RuntimeScope scope(*thread);
  Sync* sync = known_at(*thread, p);
  if (!sync) {
    T value = real_load(target);
    // A release may have come between the lookup and the load.
    sync = acquires(order) ? known_at(*thread, p) : nullptr;
    if (!sync) {
      recorder::seen(*thread, nullptr, false);
      return value;
    }
  }
  Snapshot seen;
  T value;
  {
    SpinGuard guard(sync->object.lock);
    value = real_load(target);
    seen = sync->object.knowledge;
    recorder::seen(*thread, &sync->object, acquires(order));
  }
  take(*thread, p, sizeof(T), order, seen);
  return value;
}

template <class T>
void store_seen(volatile T* p, T value, int order, uptr pc) {
  ThreadState* thread = t_self;
  T* target = const_cast<T*>(p);
  auto write = [&] {
    if constexpr (sizeof(T) == 16)
      real_update(target, [&](T) { return value; });
    else if (plain(order) == kSeqCst)
      __atomic_store_n(target, value, __ATOMIC_SEQ_CST);
    else
      __atomic_store_n(target, value, __ATOMIC_RELEASE);
  };
  const Observed observed = observe(thread, pc);
  if (!observed) return write();
  check(*thread, p, true, pc, observed);
  if (orders_nothing(*thread, p, order)) return write();
  RuntimeScope scope(*thread);
  Released released = to_release(*thread, order);
  // A store that releases nothing ends the release sequence of the variable: it carries an empty clock.
  Sync* sync = released.any ? &sync_of(*thread, p) : known_at(*thread, p);
  if (!sync) return write();
  SpinGuard guard(sync->object.lock);
  released.leave_at(sync->object, true);
  recorder::written(*thread, sync->object, releases(order), true);
  write();
}

// `change` maps the old value to the new one; returns the old value.
template <class T, class Change>
T update_seen(volatile T* p, int order, uptr pc, Change change) {
  ThreadState* thread = t_self;
  T* target = const_cast<T*>(p);
  const Observed observed = observe(thread, pc);
  if (!observed) {
    T old = real_update(target, change);
    if (HEDDLE_UNLIKELY(code::g_any) && thread && code::g_library.updated)
      code::g_library.updated(*thread, code::here(*thread, pc), reinterpret_cast<uptr>(p), pc);
    return old;
  }
  check(*thread, p, true, pc, observed);
  if (orders_nothing(*thread, p, order)) return real_update(target, change);
  if (!releases(order) && thread->released_by_fence.empty()) {
    T old;
    if (operate_without_news(*thread, p, acquires(order), old, [&] { return real_update(target, change); }))
      return old;
  }
  RuntimeScope scope(*thread);
  Released released = to_release(*thread, order);
  if (!released.any && !acquires(order) && !known_at(*thread, p)) {
    T unseen = real_update(target, change);
    recorder::seen(*thread, nullptr, false);
    return unseen;
  }
  Sync& sync = sync_of(*thread, p);
  Snapshot seen;
  T old;
  {
    SpinGuard guard(sync.object.lock);
    old = real_update(target, change);
    seen = sync.object.knowledge;
    recorder::seen(*thread, &sync.object, acquires(order));
    if (released.any) {
      released.leave_at(sync.object, false);
      recorder::written(*thread, sync.object, releases(order), false);
    }
  }
  take(*thread, p, sizeof(T), order, seen);
  return old;
}

// Returns the old value; equal to `expected` iff it was exchanged. By the standard, a failed exchange is a load;
// which it will be must be known before, because the access belongs to the strand before the acquire. So the value is
// read first, and the exchange repeated if the prediction was wrong.
template <class T>
T compare_exchange_seen(volatile T* p, T expected, T desired, int success, int failure, uptr pc) {
  ThreadState* thread = t_self;
  T* target = const_cast<T*>(p);
  const Observed observed = observe(thread, pc);
  if (!observed) return __sync_val_compare_and_swap(target, expected, desired);
  for (;;) {
    const bool writes = real_load(target) == expected;
    check(*thread, p, writes, pc, observed);
    auto operate = [&] {
      return writes ? __sync_val_compare_and_swap(target, expected, desired) : real_load(target);
    };
    if (!acquires(failure) && orders_nothing(*thread, p, success)) {
      const T old = operate();
      if (!writes && old == expected) continue;
      return old;
    }
    if (!writes || (!releases(success) && thread->released_by_fence.empty())) {
      T old;
      const bool may_acquire = (writes && acquires(success)) || acquires(failure);
      if (operate_without_news(*thread, p, may_acquire, old, operate)) {
        if (!writes && old == expected) continue;
        return old;
      }
    }
    RuntimeScope scope(*thread);
    // An exchange that fails releases nothing.
    Released released = writes ? to_release(*thread, success) : Released{};
    Sync& sync = sync_of(*thread, p);
    Snapshot seen;
    T old;
    {
      SpinGuard guard(sync.object.lock);
      old = operate();
      if (!writes && old == expected) continue;
      seen = sync.object.knowledge;
      recorder::seen(*thread, &sync.object, acquires(old == expected ? success : failure));
      if (old == expected && released.any) {
        released.leave_at(sync.object, false);
        recorder::written(*thread, sync.object, releases(success), false);
      }
    }
    take(*thread, p, sizeof(T), old == expected ? success : failure, seen);
    return old;
  }
}

// --- under the verification runtime: a failed poll yields, and an exploration chooses first -----------------------

// `keeps`: the values that the operation would not change. Reading one of them again is a repeated poll.
template <class T, class Keeps>
void before_atomic(const volatile T* p, bool write, int order, uptr pc, Keeps keeps) {
  if (!is_step(pc)) return;
  T value{};
  const bool seen = seen_before(p, sizeof(T), pc, [&](usize at, usize size, const u64& word) {
    __builtin_memcpy(reinterpret_cast<char*>(&value) + at, &word, size);
  });
  begin_step(p, write, seen && keeps(value), order, pc);
}
// A weak exchange may fail spuriously.
HEDDLE_INLINE void may_fail() {
  if (HEDDLE_UNLIKELY(control::active())) control::assume(control::Assumption::kTries);
}
// One more load of a variable that the strand has read before, and that carries no clock: the usual load, by far.
template <class T>
HEDDLE_INLINE bool load_again(const volatile T* p, T& value) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    const uptr address = reinterpret_cast<uptr>(p);
    const ThreadState* thread = t_self;
    if (HEDDLE_UNLIKELY(!thread || control::on() || code::g_any || address % sizeof(T) != 0)) return false;
    const BlockSet& set = block_set(thread->sets, address, Strength::kAtomic);
    if (!counts(thread->sets, set.tag, address, false, Strength::kAtomic) ||
        (set.unread >> (address >> 2 & 63) & ((1u << sizeof(T) / 4) - 1)))
      return false;
    value = real_load(const_cast<T*>(p));
    return !Page::around(*set.shadow, address).is_synced(address);
  }
  return false;
}

template <class T>
T load(const volatile T* p, int order, uptr pc) {
  if (T value; HEDDLE_LIKELY(load_again(p, value))) return value;
  before_atomic(p, false, order, pc, [](T) { return true; });
  T value = load_seen(p, order, pc);
  end_step(p, sizeof(T), false, pc);
  return value;
}
template <class T>
void store(volatile T* p, T value, int order, uptr pc) {
  before_atomic(p, true, order, pc, [=](T old) { return old == value; });
  const bool change = HEDDLE_UNLIKELY(control::active()) && real_load(const_cast<T*>(p)) != value;
  store_seen(p, value, order, pc);
  end_step(p, sizeof(T), change, pc);
}
template <class T, class Change>
T update(volatile T* p, int order, uptr pc, Change change) {
  before_atomic(p, true, order, pc, [=](T old) { return change(old) == old; });
  T old = update_seen(p, order, pc, change);
  end_step(p, sizeof(T), change(old) != old, pc);
  return old;
}
template <class T>
T compare_exchange(volatile T* p, T expected, T desired, int success, int failure, uptr pc) {
  may_be_reused(&expected, sizeof(T));
  before_atomic(p, true, success, pc, [=](T old) { return old != expected || expected == desired; });
  T old = compare_exchange_seen(p, expected, desired, success, failure, pc);
  end_step(p, sizeof(T), old == expected && expected != desired, pc);
  return old;
}

}  // namespace

#define HEDDLE_FETCH(bits, T, name, expression)                                     \
  HEDDLE_HOOK T __tsan_atomic##bits##_##name(volatile T* p, T operand, int order) { \
    return update<T>(p, order, HEDDLE_CALLER, [operand](T old) -> T {               \
      (void)old;                                                                    \
      return static_cast<T>(expression);                                            \
    });                                                                             \
  }
#define HEDDLE_EXCHANGE(bits, T, name, weak)                                                           \
  HEDDLE_HOOK int __tsan_atomic##bits##_compare_exchange_##name(volatile T* p, T* expected, T desired, \
                                                                int success, int failure) {            \
    if (weak) may_fail();                                                                              \
    T old = compare_exchange<T>(p, *expected, desired, success, failure, HEDDLE_CALLER);               \
    if (old == *expected) return 1;                                                                    \
    *expected = old;                                                                                   \
    return 0;                                                                                          \
  }
#define HEDDLE_ATOMIC_HOOKS(bits, T)                                                             \
  HEDDLE_HOOK T __tsan_atomic##bits##_load(const volatile T* p, int order) {                     \
    return load<T>(p, order, HEDDLE_CALLER);                                                     \
  }                                                                                              \
  HEDDLE_HOOK void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {              \
    store<T>(p, value, order, HEDDLE_CALLER);                                                    \
  }                                                                                              \
  HEDDLE_FETCH(bits, T, exchange, operand)                                                       \
  HEDDLE_FETCH(bits, T, fetch_add, old + operand)                                                \
  HEDDLE_FETCH(bits, T, fetch_sub, old - operand)                                                \
  HEDDLE_FETCH(bits, T, fetch_and, old& operand)                                                 \
  HEDDLE_FETCH(bits, T, fetch_or, old | operand)                                                 \
  HEDDLE_FETCH(bits, T, fetch_xor, old ^ operand)                                                \
  HEDDLE_FETCH(bits, T, fetch_nand, ~(old & operand))                                            \
  HEDDLE_EXCHANGE(bits, T, strong, false)                                                        \
  HEDDLE_EXCHANGE(bits, T, weak, true)                                                           \
  HEDDLE_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired, \
                                                           int success, int failure) {           \
    return compare_exchange<T>(p, expected, desired, success, failure, HEDDLE_CALLER);           \
  }

HEDDLE_ATOMIC_HOOKS(8, u8)
HEDDLE_ATOMIC_HOOKS(16, u16)
HEDDLE_ATOMIC_HOOKS(32, u32)
HEDDLE_ATOMIC_HOOKS(64, u64)
HEDDLE_ATOMIC_HOOKS(128, u128)

HEDDLE_HOOK void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  ThreadState* thread = t_self;
  if (!observe(thread, HEDDLE_CALLER)) return;
  RuntimeScope scope(*thread);
  fence(*thread, acquires(order), releases(order));
}

HEDDLE_HOOK void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
