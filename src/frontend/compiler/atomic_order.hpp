// What atomic operations order, and whether they count: shared by the compilers' hooks (atomics.cpp) and the functions
// of libatomic (atomic_library.cpp). atomics.cpp says which clocks an operation releases and acquires.
#pragma once

#include <utility>

#include "control/control.hpp"
#include "frontend/interpose.hpp"
#include "runtime/annotated/acquired_writes.hpp"
#include "runtime/controlled/actor_heap.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::atomics {

// Memory orders as both compilers pass them; GCC may set further bits for lock elision.
enum MemoryOrder : int { kRelaxed = 0, kConsume = 1, kAcquire = 2, kRelease = 3, kAcqRel = 4, kSeqCst = 5 };
constexpr int plain(int order) { return order & 0x7; }
constexpr bool acquires(int order) { return plain(order) != kRelaxed && plain(order) != kRelease; }
constexpr bool releases(int order) { return plain(order) >= kRelease; }

// The calling code decides whether the operation orders anything, and whether it is also an access of the program.
struct Observed {
  bool orders = false;
  bool access = false;
  explicit operator bool() const { return orders; }
};
inline Observed observe(const ThreadState* thread, uptr pc) {
  if (!thread || !thread->active) return {};
  if (HEDDLE_LIKELY(!code::g_any)) return {true, true};
  const CodeClass from = code::here(*thread, pc);
  return {code::orders(from), from == CodeClass::kProgram};
}

// Does the variable carry a clock? If not, only a release operation ends the strand.
inline bool may_carry_knowledge(const volatile void* p) {
  uptr address = reinterpret_cast<uptr>(p);
  const Page* page = rt().shadow.find(address);
  return page && page->is_synced(address);
}

inline Sync& sync_of(ThreadState& thread, const volatile void* p) {
  return sync_at(thread, reinterpret_cast<uptr>(p), SyncTable::kAtomic);
}
inline Sync* known_at(ThreadState& thread, const volatile void* p) {
  return find_sync(thread, reinterpret_cast<uptr>(p), SyncTable::kAtomic);
}

// The clock that the operation releases, and whether it replaces the variable's.
struct Released {
  order::Snapshot knowledge;
  bool any = false;

  void leave_at(order::SyncObject& object, bool only) { order::Structure::put(object, knowledge, only); }
};
inline Released to_release(ThreadState& thread, int order) {
  if (releases(order)) {
    ++thread.context->within_step;
    return {rt().order.snapshot(*thread.context->task), true};
  }
  if (!thread.released_by_fence.empty()) return {thread.released_by_fence, true};
  return {};
}

inline void take(ThreadState& thread, const volatile void* p, u32 size, int order,
                 const order::Snapshot& knowledge) {
  if (knowledge.empty()) return;
  order::Task& task = *thread.context->task;
  if (acquires(order)) {
    const bool observed = HEDDLE_UNLIKELY(g_observer != nullptr) && !rt().recording;
    if (observed) annotated::before_acquire(thread, reinterpret_cast<uptr>(p), size);
    const order::Index before = task.now;
    rt().order.acquire_snapshot(task, knowledge);
    thread.context->within_step += task.now - before;
    if (observed) annotated::after_acquire(thread);
  } else {
    thread.acquired_by_relaxed.join(knowledge);
  }
}

// A relaxed operation on a variable that carries no clock neither releases nor acquires anything: the strand
// continues, and nothing that is pending need be checked.
inline bool orders_nothing(const ThreadState& thread, const volatile void* p, int order) {
  return !acquires(order) && !releases(order) && thread.released_by_fence.empty() && !rt().recording &&
         !may_carry_knowledge(p);
}

// --- under the verification runtime: a failed poll yields, and an exploration chooses first -----------------------

// Does an exploration choose before the operation?
inline bool is_step(uptr pc) {
  if (!HEDDLE_UNLIKELY(control::active()) || !control::explores()) return false;
  return !t_self || !code::orders_nothing(*t_self, pc);
}
// Looks are kept word by word: visit(offset, size, word) for each of a variable at which the actor has looked; false if
// it has not looked at all of them. REQUIRES: is_step().
template <class Visit>
bool seen_before(const volatile void* p, usize size, uptr pc, Visit visit) {
  for (usize at = 0; at < size; at += sizeof(u64)) {
    const control::Look* look = control::has_looked(address_of(p) + at, pc);
    if (!look) return false;
    visit(at, size - at < sizeof(u64) ? size - at : sizeof(u64), look->value);
  }
  return true;
}
// `repeats`: it is a repeated poll.
inline void begin_step(const volatile void* p, bool write, bool repeats, int order, uptr pc) {
  if (plain(order) != kSeqCst) control::assume(control::Assumption::kStrongAtomics);
  control::choose({.op = control::Op::kAtomic,
                   .write = write,
                   .repeats = repeats,
                   .object = address_of(p),
                   .what = "operates on an atomic variable",
                   .pc = pc});
}
// After every operation.
inline void end_step(const volatile void* p, usize size, bool change, uptr pc) {
  if (!HEDDLE_UNLIKELY(control::active())) return;
  if (HEDDLE_UNLIKELY(code::t_gives != 0) && change) code::on_change(std::exchange(code::t_gives, 0));
  if (change) return control::changed(pc);
  if (t_self && code::orders_nothing(*t_self, pc)) return control::looked_unseen(pc);
  if (!control::explores()) return control::looked(pc);
  for (usize at = 0; at < size; at += sizeof(u64)) {
    const usize word = size - at < sizeof(u64) ? size - at : sizeof(u64);
    control::looked_at({.object = address_of(p) + at, .size = static_cast<u32>(word)}, pc);
  }
}
// A comparison with the address of a block: another block may have been there meanwhile, but not in an exploration.
inline void may_be_reused(const void* expected, usize size) {
  if (!HEDDLE_UNLIKELY(control::active()) || !control::explores()) return;
  for (usize at = 0; at + sizeof(uptr) <= size; at += sizeof(uptr)) {
    void* address;
    __builtin_memcpy(&address, static_cast<const char*>(expected) + at, sizeof address);
    if (actor_heap::owns(address)) control::assume(control::Assumption::kNoReuse);
  }
}

}  // namespace heddle::atomics
