// The holders of each lock. Each actor has a list of its own; a table has, for each lock that is held, the number of
// holders per mode.
#include "base/hash_map.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {
namespace {

struct Holders {
  u32 readers = 0, writers = 0;  // actors, not acquisitions; a writer may hold it for reading too
};

HashMap<Holders>& table() {
  static HashMap<Holders>* locks = memory::make<HashMap<Holders>>();
  return *locks;
}

HeldLock* find(const Actor* actor, uptr lock, bool write) {
  for (const HeldLock& held : actor->held)
    if (held.lock == lock && held.write == write) return const_cast<HeldLock*>(&held);
  return nullptr;
}

struct Wish {
  uptr lock;
  bool write;
  const Actor* actor;
};

bool can_have(void* data) {
  auto* wish = static_cast<Wish*>(data);
  return available(wish->lock, wish->write, wish->actor);
}

void drop(Actor* actor, HeldLock* held) {
  if (explores()) {
    note_section(*actor, *held);
    release_time(*actor, held->lock);
  }
  Holders& holders = table()[held->lock];
  --(held->write ? holders.writers : holders.readers);
  if (holders.readers + holders.writers == 0) table().erase(held->lock);
  actor->held.erase_swap(static_cast<u32>(held - actor->held.begin()));
}

}  // namespace

bool available(uptr lock, bool write, const Actor* actor) {
  if (!actor) actor = current();
  const Holders* holders = table().find(lock);
  if (!holders) return true;
  u32 readers = holders->readers, writers = holders->writers;
  if (find(actor, lock, true)) --writers;
  if (find(actor, lock, false)) --readers;
  return writers == 0 && (!write || readers == 0);
}

const Actor* holder(uptr lock, bool write, const Actor* actor) {
  for (const Actor* other = first_actor(); other; other = other->next)
    if (other != actor && (find(other, lock, true) || (write && find(other, lock, false)))) return other;
  return nullptr;
}

const Actor* awaited_by(const Actor& actor) {
  if (actor.state != State::kWaits || actor.pending.deadline != kNoDeadline || enabled(&actor))
    return nullptr;
  if (actor.pending.awaits) return actor.pending.awaits;
  if (actor.pending.op != Op::kAcquire || actor.pending.enabled != can_have) return nullptr;
  return holder(actor.pending.object, actor.pending.write, &actor);
}

u32 times_held(uptr lock) {
  u32 times = 0;
  for (bool write : {false, true})
    if (const HeldLock* held = find(current(), lock, write)) times += held->times;
  return times;
}

bool holds(uptr lock, bool write) { return find(current(), lock, write) != nullptr; }

void gained(uptr lock, bool write) {
  Actor* actor = current();
  if (HeldLock* held = find(actor, lock, write)) {
    ++held->times;
    return;
  }
  actor->held.push_back({lock, write, 1, actor->pending.pc});
  if (explores()) {
    note_acquisition(actor->held.back());
    acquire_time(*actor, lock);
  }
  Holders& holders = table()[lock];
  ++(write ? holders.writers : holders.readers);
}

// A timed acquisition in an exploration is a try. Chosen while another actor holds the lock, it times out, which is
// possible at any moment of the wait; chosen while the lock is free, it acquires. No other outcome is possible: an
// acquisition of a free lock never times out.
Outcome acquire(uptr lock, bool write, u64 deadline, uptr pc) {
  if (explores() && deadline != kNoDeadline) {
    if (try_acquire(lock, write, pc)) return Outcome::kReady;
    pass_time(*current(), deadline);
    note_pause(*current());
    return Outcome::kTimedOut;
  }
  Wish wish{lock, write, current()};
  Outcome outcome = choose({.op = Op::kAcquire,
                            .write = write,
                            .object = lock,
                            .enabled = can_have,
                            .data = &wish,
                            .deadline = deadline,
                            .what = write ? "acquires a lock" : "acquires a lock for reading",
                            .pc = pc});
  if (outcome == Outcome::kReady) gained(lock, write);
  return outcome;
}

bool try_acquire(uptr lock, bool write, uptr pc) {
  choose(
      {.op = Op::kTryAcquire, .write = write, .object = lock, .what = "tries to acquire a lock", .pc = pc});
  if (!available(lock, write)) {
    looked(pc);
    if (splits_acquisitions()) cut();  // the code that follows is not part of the acquisition
    return false;
  }
  assume(Assumption::kTries);  // C++'s try_lock and its relatives may fail
  gained(lock, write);
  return true;
}

void release(uptr lock) {
  if (!table().find(lock)) return;
  Actor* actor = current();
  HeldLock* held = find(actor, lock, true);
  if (!held) held = find(actor, lock, false);
  for (Actor* other = first_actor(); !held && other; other = other->next) {
    actor = other;
    held = find(other, lock, true);
  }
  if (held && --held->times == 0) drop(actor, held);
}

void forget(uptr lock) {
  if (!table().find(lock)) return;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    for (bool write : {false, true})
      if (HeldLock* held = find(actor, lock, write)) drop(actor, held);
}

}  // namespace heddle::control
