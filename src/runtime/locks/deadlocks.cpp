#include "runtime/locks/deadlocks.hpp"

#include <sys/syscall.h>

#include <atomic>

#include "base/ask_signal.hpp"
#include "base/system_call.hpp"
#include "checker/deadlock/relation.hpp"
#include "checker/deadlock/strand_now.hpp"
#include "checker/deadlock/wait_for.hpp"
#include "runtime/log/findings.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/state/current_stack.hpp"

namespace heddle::deadlocks {

bool g_on = false;

namespace {

using deadlock::Acquisition;
using deadlock::Edge;
using deadlock::Relation;

struct Table {
  SpinLock lock;
  Relation relation;
  deadlock::WaitFor waiting;  // by thread
  std::atomic<bool> left_out{false};
};
Table* g_table = nullptr;

// Each lock that is acquired on top of n others is a dependency of n locks, so n locks held at once would take n * n
// memory, and more time. What is acquired on top of more than this is left out, and the report says so.
constexpr u32 kMostHeld = 256;

struct Now : deadlock::StrandNow {
  explicit Now(const order::Task& task) : StrandNow(rt().order, task) {}
  void deadlock(const Edge* edges, u32 count) const { raw_log::deadlock(edges, count, false); }
};

Acquisition acquisition(const AcquiredAt& at) { return {at.lock >> 1, at.site, (at.lock & 1) != 0}; }

// What is held, by lock. A lock held for reading and for writing is held for writing.
void sort_held(const Vector<AcquiredAt>& from, Vector<Acquisition>& held) {
  for (const AcquiredAt& at : from) {
    const Acquisition now = acquisition(at);
    u32 place = 0;
    while (place < held.size() && held[place].lock < now.lock) ++place;
    if (place < held.size() && held[place].lock == now.lock) {
      held[place].write |= now.write;
      continue;
    }
    held.push_back(now);
    for (u32 i = held.size() - 1; i > place; --i) std::swap(held[i], held[i - 1]);
  }
}

u64 hash_of(const AcquiredAt& at) { return mix(u64{at.lock} << 32 | at.site); }

// Has the task added this lock dependency since its last acquire or release, by structure? Then nothing is new.
bool been_there(ThreadState& thread, const AcquiredAt& wants) {
  u64 dependency = hash_of(wants) * 3;
  for (const AcquiredAt& held : thread.context->acquired_at) dependency += hash_of(held);  // in any order
  const ThreadState::KnownDependency now{dependency, deadlock::sync_epoch(*thread.context->task)};
  ThreadState::KnownDependency& known = thread.dependencies[mix(dependency) % ThreadState::kDependencies];
  if (known == now) return true;
  known = now;
  return false;
}

}  // namespace

void start() {
  g_table = memory::make<Table>();
  g_on = true;
  // Called when the log is closed, perhaps in a signal handler: reads without the lock.
  raw_log::at_close(
      {.add_figures =
           [](raw_log::Line& line) {
             line.raw(",\"lock dependencies\":").number(g_table->relation.dependencies());
             line.raw(",\"lock dependencies by strand\":").number(g_table->relation.entries());
           },
       .warn =
           [] {
             if (g_table->relation.gave_up())
               raw_log::warning(
                   "locks are nested in so many orders that the search for cycles was stopped: a "
                   "deadlock may be missing");
           }});
}

namespace {

bool holds(const TaskContext& context, HeldLock lock) {
  for (const AcquiredAt& held : context.acquired_at)
    if (held.lock >> 1 == lock >> 1) return true;
  return false;
}

void note_dependency(ThreadState& thread, const AcquiredAt& wants) {
  TaskContext& context = *thread.context;
  if (rt().order.quiescent(*context.task)) return;
  if (HEDDLE_UNLIKELY(context.acquired_at.size() > kMostHeld)) {
    if (!g_table->left_out.exchange(true, std::memory_order_relaxed))
      raw_log::not_analysed(
          "deadlocks with locks that a task acquires while it holds more than 256 (repetitions count)");
    return;
  }
  if (been_there(thread, wants)) return;
  Vector<Acquisition> held;
  sort_held(context.acquired_at, held);
  SpinGuard guard(g_table->lock);
  Now now(*context.task);
  g_table->relation.add(g_table->relation.dependency(acquisition(wants), held.begin(), held.size()), now);
}

bool is_nested(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, uptr pc,
               AcquiredAt& wanted) {
  if (!running(thread) || thread.context->acquired_at.empty()) return false;
  const u32 id = rt().syncs.lock_id(rt().syncs.get(address, SyncTable::kLock), kind);
  wanted = {held(id, mode == order::Mode::kWrite), current_site(thread, pc)};
  return !holds(*thread.context, wanted.lock);
}

void waits(ThreadState& thread, const AcquiredAt& wants) {
  Vector<Acquisition> held;
  sort_held(thread.context->acquired_at, held);
  const order::Task& task = *thread.context->task;
  bool happened = false;
  {
    SpinGuard guard(g_table->lock);
    ++thread.waits_for_locks;
    g_table->waiting.add(thread.number, u64{task.id} << 32 | task.now, acquisition(wants), held.begin(),
                         held.size(), [&](const Edge* edges, u32 count) {
                           raw_log::deadlock(edges, count, true);
                           happened = true;
                         });
  }
  if (happened && rt().options.halt_on_deadlock) {
    raw_log::close("deadlock");
    system_call(SYS_exit_group, ask::kEndedCode);
  }
}

}  // namespace

void wants(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, uptr pc) {
  AcquiredAt wanted;
  if (!is_nested(thread, address, kind, mode, pc, wanted)) return;
  note_dependency(thread, wanted);
  waits(thread, wanted);
}

void will_want(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, uptr pc) {
  AcquiredAt wanted;
  if (is_nested(thread, address, kind, mode, pc, wanted)) waits(thread, wanted);
}

void gave_up(ThreadState& thread) {
  if (thread.waits_for_locks == 0) return;
  --thread.waits_for_locks;
  SpinGuard guard(g_table->lock);
  g_table->waiting.remove(thread.number);
}

void acquired(ThreadState& thread, HeldLock lock, How how) {
  gave_up(thread);
  TaskContext& context = *thread.context;
  const AcquiredAt wanted{lock, current_site(thread, how.pc)};
  if (how.waits && !context.acquired_at.empty() && !holds(context, lock)) note_dependency(thread, wanted);
  context.acquired_at.push_back(wanted);
}

void released(TaskContext& context, HeldLock lock) {
  for (u32 i = context.acquired_at.size(); i-- > 0;)
    if (context.acquired_at[i].lock == lock) return context.acquired_at.erase_swap(i);
}

}  // namespace heddle::deadlocks
