#include "frontend/tbb/mutexes.hpp"

#include "frontend/tbb/continue_nodes.hpp"
#include "frontend/tbb/controlled_tasks.hpp"
#include "frontend/tbb/tasks.hpp"
#include "runtime/controlled/pauses.hpp"
#include "runtime/locks/deadlocks.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::tbb {
namespace {

using order::Mode;

// Is it a lock of the program?
bool is_of_program(CodeClass caller) {
  return caller != CodeClass::kContainer && caller != CodeClass::kPerThread && caller != CodeClass::kPut;
}

// A reader releases to later writers, which may destroy what it has read. If neither it nor another thread on its
// behalf touched memory of the program meanwhile, as when a container only looks something up, there is nothing to
// release. (What the strand had touched before is not counted again; but another synchronisation than this lock must
// have allowed it.)
struct HeldForReading {
  uptr mutex;
  u64 strand;  // at its acquisition
  u32 touches;
};
constexpr u32 kHeldForReading = 8;  // an overwritten slot only makes a reader release
__thread HeldForReading t_held_for_reading[kHeldForReading] __attribute__((tls_model("initial-exec")));
HeldForReading& held_for_reading(uptr mutex) { return t_held_for_reading[mix(mutex) % kHeldForReading]; }

void wanting(ThreadState& thread, uptr mutex, Mode mode, uptr pc) {
  if (!deadlocks::g_on || !running(thread)) return;
  const CodeClass caller = code::caller(thread, pc);
  if (caller == CodeClass::kScheduler || !is_of_program(caller)) return;
  if (pauses::g_on) pauses::at_acquisition(thread, mutex, pc);
  RuntimeScope scope(thread);
  deadlocks::wants(thread, mutex, LockKind::kMutex, mode, pc);
}

void acquired(ThreadState& thread, uptr mutex, Mode mode, uptr pc, bool waits) {
  const CodeClass caller = code::caller(thread, pc);
  if (!running(thread) || caller == CodeClass::kScheduler)
    return;  // the scheduler's own locks order no bodies
  if (is_of_program(caller)) {
    RuntimeScope scope(thread);
    return acquire_lock(thread, mutex, LockKind::kMutex, mode, {pc, waits});
  }
  if (caller == CodeClass::kPut && makes_task_of_puts(mutex)) return;
  if (has_news_as(thread, mutex, mode)) {
    RuntimeScope scope(thread);
    await_as(thread, mutex, mode);
  }
  if (mode == Mode::kRead) held_for_reading(mutex) = {mutex, thread.strand, thread.touches};
}

void releasing(ThreadState& thread, uptr mutex, Mode mode, uptr pc) {
  const CodeClass caller = code::caller(thread, pc);
  if (!running(thread) || caller == CodeClass::kScheduler) return;
  if (!is_of_program(caller) && mode == Mode::kRead && !rt().recording) {
    const HeldForReading held = std::exchange(held_for_reading(mutex), {});
    if (held.mutex == mutex && held.strand == thread.strand && held.touches == thread.touches) return;
  }
  RuntimeScope scope(thread);
  if (is_of_program(caller)) return release_lock(thread, mutex);
  publish_as(thread, mutex, mode);
}

// The lock stays held in between.
void change_mode(ThreadState& thread, uptr mutex, Mode mode, uptr pc) {
  if (control::active()) changes_mutex(mutex, mode == Mode::kWrite);
  releasing(thread, mutex, mode == Mode::kWrite ? Mode::kRead : Mode::kWrite, pc);
  // An upgrading reader waits for the other readers.
  acquired(thread, mutex, mode, pc, mode == Mode::kWrite);
}

// Some of the headers' mutexes wait by polling, and announce it first.
__thread uptr t_waits_for __attribute__((tls_model("initial-exec"))) = 0;

// clang merges the notifications of lock and lock_shared where a scoped_lock chooses between them. The mutexes that
// have one of these have a word whose lowest bit says that a writer holds it.
bool is_read(uptr mutex) {
  return (__atomic_load_n(reinterpret_cast<const u8*>(mutex), __ATOMIC_RELAXED) & 1) == 0;
}

}  // namespace

void upgraded(ThreadState& thread, uptr mutex, uptr pc) { change_mode(thread, mutex, Mode::kWrite, pc); }

void mutex_notice(ThreadState& thread, Notice notice, uptr mutex, CodeClass here, uptr pc) {
  const Mode mode = here == CodeClass::kReadLock || here == CodeClass::kTryReadLock ||
                            (here == CodeClass::kScopedLock && is_read(mutex))
                        ? Mode::kRead
                        : Mode::kWrite;
  const bool controlled = control::active() && code::caller(thread, pc) != CodeClass::kScheduler;
  if (notice == Notice::kPrepare) {
    t_waits_for = mutex;
    if (here != CodeClass::kScopedLock) wanting(thread, mutex, mode, pc);
  }
  // If it is not known whether it is a reader, the library's own code waits, and yields.
  if (controlled && notice == Notice::kPrepare && here != CodeClass::kScopedLock)
    before_mutex(mutex, here != CodeClass::kReadLock, pc);
  if (controlled && notice == Notice::kAcquired) has_mutex(mutex, mode == Mode::kWrite);
  if (notice == Notice::kAcquired) {
    const bool tries = here == CodeClass::kTryLock || here == CodeClass::kTryReadLock;
    const bool waited = std::exchange(t_waits_for, 0) == mutex;
    acquired(thread, mutex, mode, pc, waited || !tries);
  }
  if (notice != Notice::kReleasing) return;
  if (controlled && here != CodeClass::kDowngrade) gives_mutex(mutex);
  if (here == CodeClass::kDowngrade)
    change_mode(thread, mutex, Mode::kRead, pc);
  else
    releasing(thread, mutex, mode, pc);
}

namespace {

// Mutexes whose functions are in the library: a scoped_lock names its mutex first.
uptr mutex_of(void* scoped_lock) { return *static_cast<uptr*>(scoped_lock); }
Mode mode_of(bool write) { return write ? Mode::kWrite : Mode::kRead; }

void note_wanting(uptr mutex, Mode mode, uptr pc) {
  if (ThreadState* thread = self()) wanting(*thread, mutex, mode, pc);
  if (control::active()) before_mutex(mutex, mode == Mode::kWrite, pc);
}
void note_acquired(uptr mutex, Mode mode, uptr pc, bool waits = true) {
  if (control::active() && mutex) has_mutex(mutex, mode == Mode::kWrite);
  if (ThreadState* thread = self(); thread && mutex) acquired(*thread, mutex, mode, pc, waits);
}
// In either mode: a lock of the program has its mode; for oneTBB's own, the writer's is the stronger.
void note_releasing(uptr mutex, uptr pc) {
  if (ThreadState* thread = self(); thread && mutex) releasing(*thread, mutex, Mode::kWrite, pc);
}
void note_change(uptr mutex, Mode mode, uptr pc) {
  if (ThreadState* thread = self(); thread && mutex) change_mode(*thread, mutex, mode, pc);
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;
using tbb::Mode;

HEDDLE_TBB(void, acquire_queuing, "7acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb", void* mutex,
           void* lock, bool write) {
  tbb::note_wanting(address_of(mutex), tbb::mode_of(write), HEDDLE_CALLER);
  real_acquire_queuing(mutex, lock, write);
  tbb::note_acquired(address_of(mutex), tbb::mode_of(write), HEDDLE_CALLER);
}
HEDDLE_TBB(bool, try_acquire_queuing, "11try_acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb",
           void* mutex, void* lock, bool write) {
  const bool taken = real_try_acquire_queuing(mutex, lock, write);
  if (taken) tbb::note_acquired(address_of(mutex), tbb::mode_of(write), HEDDLE_CALLER, false);
  return taken;
}
HEDDLE_TBB(void, release_queuing, "7releaseERNS0_2d116queuing_rw_mutex11scoped_lockE", void* lock) {
  const uptr mutex = tbb::mutex_of(lock);
  tbb::note_releasing(mutex, HEDDLE_CALLER);
  real_release_queuing(lock);
  if (control::active()) tbb::given_mutex(mutex);
}
namespace heddle::tbb {
namespace {

// An upgrade for which the library would wait may always be this: the lock is released, and acquired again.
bool upgrade_in_two(void* lock, uptr caller) {
  const uptr mutex = mutex_of(lock);
  real_release_queuing(lock);
  given_mutex(mutex);
  before_mutex(mutex, true, caller);
  real_acquire_queuing(reinterpret_cast<void*>(mutex), lock, true);
  return false;
}

}  // namespace
}  // namespace heddle::tbb

// It may have been released in between, and others have written. In either case its owner now happens after them.
HEDDLE_TBB(bool, upgrade_queuing, "17upgrade_to_writerERNS0_2d116queuing_rw_mutex11scoped_lockE",
           void* lock) {
  const uptr mutex = tbb::mutex_of(lock);
  tbb::note_releasing(mutex, HEDDLE_CALLER);
  const bool at_once =
      control::active() ? tbb::upgrade_in_two(lock, HEDDLE_CALLER) : real_upgrade_queuing(lock);
  tbb::note_acquired(mutex, Mode::kWrite, HEDDLE_CALLER);
  return at_once;
}
HEDDLE_TBB(bool, downgrade_queuing, "19downgrade_to_readerERNS0_2d116queuing_rw_mutex11scoped_lockE",
           void* lock) {
  tbb::note_change(tbb::mutex_of(lock), Mode::kRead, HEDDLE_CALLER);
  return real_downgrade_queuing(lock);
}

HEDDLE_TBB(void, acquire_rtm, "7acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockEb", void* mutex, void* lock,
           bool only_speculate) {
  tbb::note_wanting(address_of(mutex), Mode::kWrite, HEDDLE_CALLER);
  real_acquire_rtm(mutex, lock, only_speculate);
  tbb::note_acquired(tbb::mutex_of(lock), Mode::kWrite, HEDDLE_CALLER);
}
HEDDLE_TBB(bool, try_acquire_rtm, "11try_acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockE", void* mutex,
           void* lock) {
  const bool taken = real_try_acquire_rtm(mutex, lock);
  if (taken) tbb::note_acquired(address_of(mutex), Mode::kWrite, HEDDLE_CALLER, false);
  return taken;
}
HEDDLE_TBB(void, release_rtm, "7releaseERNS0_2d19rtm_mutex11scoped_lockE", void* lock) {
  const uptr mutex = tbb::mutex_of(lock);
  tbb::note_releasing(mutex, HEDDLE_CALLER);
  real_release_rtm(lock);
  if (control::active()) tbb::given_mutex(mutex);
}

HEDDLE_TBB(void, acquire_writer, "14acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb", void* mutex,
           void* lock, bool only_speculate) {
  tbb::note_wanting(address_of(mutex), Mode::kWrite, HEDDLE_CALLER);
  real_acquire_writer(mutex, lock, only_speculate);
  tbb::note_acquired(tbb::mutex_of(lock), Mode::kWrite, HEDDLE_CALLER);
}
HEDDLE_TBB(void, acquire_reader, "14acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb", void* mutex,
           void* lock, bool only_speculate) {
  tbb::note_wanting(address_of(mutex), Mode::kRead, HEDDLE_CALLER);
  real_acquire_reader(mutex, lock, only_speculate);
  tbb::note_acquired(tbb::mutex_of(lock), Mode::kRead, HEDDLE_CALLER);
}
HEDDLE_TBB(bool, try_acquire_writer, "18try_acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE",
           void* mutex, void* lock) {
  const bool taken = real_try_acquire_writer(mutex, lock);
  if (taken) tbb::note_acquired(address_of(mutex), Mode::kWrite, HEDDLE_CALLER, false);
  return taken;
}
HEDDLE_TBB(bool, try_acquire_reader, "18try_acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE",
           void* mutex, void* lock) {
  const bool taken = real_try_acquire_reader(mutex, lock);
  if (taken) tbb::note_acquired(address_of(mutex), Mode::kRead, HEDDLE_CALLER, false);
  return taken;
}
HEDDLE_TBB(void, release_rtm_rw, "7releaseERNS0_2d112rtm_rw_mutex11scoped_lockE", void* lock) {
  const uptr mutex = tbb::mutex_of(lock);
  tbb::note_releasing(mutex, HEDDLE_CALLER);
  real_release_rtm_rw(lock);
  if (control::active()) tbb::given_mutex(mutex);
}
HEDDLE_TBB(bool, upgrade_rtm, "7upgradeERNS0_2d112rtm_rw_mutex11scoped_lockE", void* lock) {
  const uptr mutex = tbb::mutex_of(lock);
  tbb::note_releasing(mutex, HEDDLE_CALLER);
  const bool at_once = real_upgrade_rtm(lock);
  tbb::note_acquired(mutex, Mode::kWrite, HEDDLE_CALLER);
  return at_once;
}
HEDDLE_TBB(bool, downgrade_rtm, "9downgradeERNS0_2d112rtm_rw_mutex11scoped_lockE", void* lock) {
  tbb::note_change(tbb::mutex_of(lock), Mode::kRead, HEDDLE_CALLER);
  return real_downgrade_rtm(lock);
}
