#include "runtime/deadlocks.hpp"

#include "checker/deadlock/relation.hpp"
#include "checker/deadlock/strand_now.hpp"
#include "runtime/raw_log.hpp"

namespace heddle::deadlocks {

bool g_on = false;

namespace {

using deadlock::Acquisition;
using deadlock::Edge;
using deadlock::Relation;

struct Table {
  SpinLock lock;
  Relation relation;
};
Table* g_table = nullptr;

struct Now : deadlock::StrandNow {
  explicit Now(const order::Task& task) : StrandNow(rt().order, task) {}
  void deadlock(const Edge* edges, u32 count) const { raw_log::deadlock(edges, count); }
};

Acquisition acquisition(const AcquiredAt& at) { return {at.lock >> 1, at.site, (at.lock & 1) != 0}; }

// What is held, by lock. Whoever holds a lock for reading and for writing holds it for writing.
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

// Was the task in this situation since it last learned or told anything, by structure? Then its strand is the same to everybody else.
bool been_there(ThreadState& thread, const AcquiredAt& wants) {
  u64 situation = hash_of(wants) * 3;
  for (const AcquiredAt& held : thread.context->acquired_at) situation += hash_of(held);  // in any order
  const ThreadState::InSituation now{situation, deadlock::standing(*thread.context->task)};
  ThreadState::InSituation& known = thread.situations[mix(situation) % ThreadState::kSituations];
  if (known == now) return true;
  known = now;
  return false;
}

}  // namespace

void start() {
  g_table = memory::make<Table>();
  g_on = true;
}

void acquired(ThreadState& thread, HeldLock lock, How how) {
  TaskContext& context = *thread.context;
  const AcquiredAt wants{lock, current_site(thread, how.pc)};
  bool again = false;
  for (const AcquiredAt& held : context.acquired_at) again |= held.lock >> 1 == lock >> 1;
  if (how.waits && !again && !context.acquired_at.empty() && !rt().order.alone(*context.task) &&
      !been_there(thread, wants)) {
    Vector<Acquisition> held;
    sort_held(context.acquired_at, held);
    SpinGuard guard(g_table->lock);
    Now now(*context.task);
    g_table->relation.add(g_table->relation.situation(acquisition(wants), held.begin(), held.size()), now);
  }
  context.acquired_at.push_back(wants);
}

void released(TaskContext& context, HeldLock lock) {
  for (u32 i = context.acquired_at.size(); i-- > 0;)
    if (context.acquired_at[i].lock == lock) return context.acquired_at.erase_swap(i);
}

Figures figures() {
  // By whoever closes the log, perhaps in a signal handler: a glance, without the lock.
  return {g_table->relation.situations(), g_table->relation.entries(), g_table->relation.gave_up()};
}

}  // namespace heddle::deadlocks
