#include "runtime/controlled/pauses.hpp"

#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/spin_lock.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/backoff.hpp"
#include "control/board.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/controlled/shared_memory.hpp"
#include "runtime/state/abstract_names.hpp"
#include "runtime/state/process.hpp"

namespace heddle::pauses {

bool g_on = false;

namespace {

using control::Backoff;
using control::CycleEdge;
using control::Goal;
using control::may_be_the_same;
using control::overlap;
using control::Steering;

// A pause times out after this: long beside the way from one critical section to the next, short for a user who waits.
constexpr long kPause = 100'000'000;  // nanoseconds
// The thread that is to go second, if the order of two accesses is to be reversed.
constexpr long kLetPass = 2'000'000;

struct Held {
  bool used = false;
  u32 go = 0;  // futex
  u32 thread = 0;
  u32 sites = 0;  // bits; of an acquisition one: which edge
  uptr address = 0;
  usize size = 0;
  bool write = false;
};
constexpr u32 kMost = 64;  // threads that are held at a time
constexpr u32 kNoEdge = Backoff::kSites;

struct State {
  SpinLock lock;
  Held held[kMost];
  Backoff backoff;
  SplitMix64 random;
};
State g_state;
Steering* g_steering = nullptr;

timespec in_nanoseconds(long time) { return {0, time}; }

void let_go(Held& held) {
  __atomic_store_n(&held.go, 1, __ATOMIC_RELEASE);
  futex_wake(&held.go);
}

// With the lock.
bool is_worth_a_pause(u32 site) { return g_state.backoff.is_worth_a_pause(site, g_state.random); }

// With the lock; null: there is no room.
Held* hold(const Held& what) {
  for (Held& held : g_state.held)
    if (!held.used) {
      held = what;
      held.used = true;
      ++g_steering->pauses;
      return &held;
    }
  return nullptr;
}

// Without it.
void wait(Held& held) {
  const timespec most = in_nanoseconds(kPause);
  while (!__atomic_load_n(&held.go, __ATOMIC_ACQUIRE) && futex_wait(&held.go, 0, &most)) {
  }
  SpinGuard guard(g_state.lock);
  held.used = false;
  if (__atomic_load_n(&held.go, __ATOMIC_ACQUIRE)) return;
  g_state.backoff.failed(static_cast<u32>(__builtin_ctz(held.sites)));
  ++g_steering->releases;
}

bool meet(const Held& a, const Held& b) {
  if (a.thread == b.thread || !((a.sites & 1 && b.sites & 2) || (a.sites & 2 && b.sites & 1))) return false;
  if (g_steering->goal == Goal::kMeet) return true;
  return (a.write || b.write) && overlap(a.address, a.size, b.address, b.size);
}

u32 held_of_edge(const ThreadState& thread, u32 edge) {
  u32 held = 0;
  for (const AcquiredAt& lock : thread.context->acquired_at)
    held |= control::held_at_site(*g_steering, edge, rt().stacks.pc(lock.site));
  return held;
}

bool is_in_edge(const ThreadState& thread, u32 at, uptr address) {
  const CycleEdge& edge = g_steering->edge[at];
  if (!g_steering->ignores_context && held_of_edge(thread, at) != (1u << edge.held) - 1) return false;
  return (edge.lock == 0 || may_be_the_same(edge.lock, abstract_names::of_lock(address))) &&
         (edge.task == 0 || may_be_the_same(edge.task, abstract_names::of_task(*thread.context->task)));
}

// The first edge of the cycle that the thread is about to make; kNoEdge: none.
u32 edge_of(const ThreadState& thread, uptr address, uptr pc) {
  if (thread.context->acquired_at.empty()) return kNoEdge;
  const u32 sites = control::sites_of_acquisition(*g_steering, pc);
  for (u32 edge = 0; edge < g_steering->sites; ++edge)
    if ((sites & 1u << edge) && is_in_edge(thread, edge, address)) return edge;
  return kNoEdge;
}

bool is_at_entrance(const ThreadState& thread, uptr pc) {
  if (g_steering->never_yields) return false;
  for (u32 edge = 0; edge < g_steering->sites; ++edge)
    if (control::held_at_site(*g_steering, edge, pc) && held_of_edge(thread, edge) == 0) return true;
  return false;
}

// Another thread is paused at each of the other edges: all of them continue, and wait for each other.
bool closes_cycle(u32 edge) {
  u32 edges = 1u << edge;
  for (const Held& held : g_state.held)
    if (held.used) edges |= held.sites;
  if (edges != (1u << g_steering->sites) - 1) return false;
  g_steering->reached = 1;
  for (Held& held : g_state.held)
    if (held.used) let_go(held);
  return true;
}

void at_access(ThreadState& thread, uptr address, usize size, bool write, uptr pc) {
  if (g_steering->goal == Goal::kDeadlock || __atomic_load_n(&g_steering->reached, __ATOMIC_RELAXED)) return;
  const u32 sites = control::sites_of_access(*g_steering, pc, write);
  if (sites == 0) return;
  const Held now{false, 0, thread.number, sites, address, size, write};
  Held* held = nullptr;
  bool met = false;
  {
    SpinGuard guard(g_state.lock);
    for (Held& other : g_state.held) {
      if (met || !other.used || other.go || !meet(now, other)) continue;
      met = true;
      g_steering->reached = 1;
      let_go(other);
    }
    if (!met && is_worth_a_pause(static_cast<u32>(__builtin_ctz(sites)))) held = hold(now);
  }
  if (held) wait(*held);
  const timespec pass = in_nanoseconds(kLetPass);
  if (met && g_steering->swapped) system_call(SYS_nanosleep, reinterpret_cast<long>(&pass), 0);
}

}  // namespace

void attach() {
  const char* number = environment(control::kBoardDescriptor);
  if (!number || rt().options.serial) return;
  control::Board* board = map_board(static_cast<int>(read_number(number)));
  if (!board) return;
  g_steering = &board->steering;
  g_state.random = SplitMix64(g_steering->seed);
  places::load(*board, [](ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
    at_access(thread, address, size, (flags & race::kWrite) != 0, pc);
  });
  g_on = true;
}

void at_acquisition(ThreadState& thread, uptr address, uptr pc) {
  if (g_steering->goal != Goal::kDeadlock || !running(thread)) return;
  if (is_at_entrance(thread, pc)) system_call(SYS_sched_yield);
  const u32 edge = edge_of(thread, address, pc);
  if (edge == kNoEdge) return;
  Held* held = nullptr;
  {
    SpinGuard guard(g_state.lock);
    if (closes_cycle(edge)) return;
    if (is_worth_a_pause(edge)) held = hold({false, 0, thread.number, 1u << edge, address, 0, true});
  }
  if (held) wait(*held);
}

}  // namespace heddle::pauses
