// isolated: sections that exclude each other. A section that names objects holds the lock of each, and the global
// lock for reading; one that names nothing holds the global lock for writing. All are acquired at once or none, so no
// section waits while it holds one.
#include "base/hash_map.hpp"
#include "base/system_call.hpp"
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

using order::Mode;

// Its address is the global lock.
char isolated_everything;

// The sections that are active, for programs that use several threads.
class Sections {
 public:
  bool enter(const void* const* objects, usize count) {
    SpinGuard guard(lock_);
    if (everything_ || (count == 0 && inside_ > 0)) return false;
    for (usize i = 0; i < count; ++i)
      if (taken_.find(address_of(objects[i]))) return false;
    everything_ = count == 0;
    inside_ += count > 0;
    for (usize i = 0; i < count; ++i) taken_[address_of(objects[i])] = true;
    return true;
  }
  void leave(const void* const* objects, usize count) {
    SpinGuard guard(lock_);
    everything_ = false;
    inside_ -= count > 0;
    for (usize i = 0; i < count; ++i) taken_.erase(address_of(objects[i]));
  }

 private:
  SpinLock lock_;
  bool everything_ = false;
  u32 inside_ = 0;  // those that name objects
  HashMap<bool> taken_;
};

Global<Sections> g_sections;

uptr everything() { return address_of(&isolated_everything); }

// The lock of an object is another one than what lies at its address, which may be a mutex: no address of a program has
// this bit.
uptr lock_of(const void* object) { return uptr{1} << 59 | address_of(object); }

// The locks of a section, for the verification runtime: one choice acquires all.
struct Wish {
  const void* const* objects;
  usize count;
  const control::Actor* actor;
};

bool can_have_all(void* data) {
  auto* wish = static_cast<Wish*>(data);
  if (!control::available(everything(), wish->count == 0, wish->actor)) return false;
  for (usize i = 0; i < wish->count; ++i)
    if (!control::available(lock_of(wish->objects[i]), true, wish->actor)) return false;
  return true;
}

void choose_section(const void* const* objects, usize count, uptr caller) {
  Wish wish{objects, count, control::current()};
  control::choose({.op = control::Op::kAcquire,
                   .write = count == 0,
                   .object = everything(),
                   .enabled = can_have_all,
                   .data = &wish,
                   .what = "enters an isolated section",
                   .pc = caller});
  control::gained(everything(), count == 0);
  for (usize i = 0; i < count; ++i) control::gained(lock_of(objects[i]), true);
}

}  // namespace
}  // namespace heddle::async

using namespace heddle;
using async::Mode;

HEDDLE_ASYNC_API void __heddle_async_enter_isolated(const void* const* objects, usize count) {
  if (control::active()) async::choose_section(objects, count, HEDDLE_CALLER);
  while (!async::g_sections->enter(objects, count)) system_call(SYS_sched_yield);
  ThreadState* thread = async::participant();
  if (!thread) return;
  RuntimeScope scope(*thread);
  // A section acquires all its locks at once: it never waits while it holds some.
  acquire_lock(*thread, async::everything(), LockKind::kIsolated, count ? Mode::kRead : Mode::kWrite,
               {HEDDLE_CALLER, false});
  for (usize i = 0; i < count; ++i)
    acquire_lock(*thread, async::lock_of(objects[i]), LockKind::kIsolated, Mode::kWrite,
                 {HEDDLE_CALLER, false});
}

HEDDLE_ASYNC_API void __heddle_async_leave_isolated(const void* const* objects, usize count) {
  if (ThreadState* thread = async::participant()) {
    RuntimeScope scope(*thread);
    for (usize i = count; i-- > 0;) release_lock(*thread, async::lock_of(objects[i]), Mode::kWrite);
    release_lock(*thread, async::everything(), count ? Mode::kRead : Mode::kWrite);
  }
  async::g_sections->leave(objects, count);
  if (!control::active()) return;
  for (usize i = count; i-- > 0;) control::release(async::lock_of(objects[i]));
  control::release(async::everything());
}
