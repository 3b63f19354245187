#include "runtime/threads/spare_states.hpp"

namespace heddle::spare_states {
namespace {

// A thread that has ended leaves its state and its tables for the next one: their pages are there, and what is in the
// caches is still true. Stamps continue, so accesses of old strands are not taken for those of new ones.
struct SpareState {
  SpareState* next;
  void* state;
  AccessSets sets;
  FilterEntry* filter;
  u32 stamp, order_stamp;
};
SpinLock g_spare_lock;
SpareState* g_spare = nullptr;
u32 g_spares = 0;

}  // namespace

ThreadState* take() {
  SpinGuard guard(g_spare_lock);
  SpareState* spare = g_spare;
  if (!spare) return make_thread_state();
  g_spare = spare->next;
  --g_spares;
  auto* thread = new (spare->state) ThreadState;
  thread->sets = spare->sets;
  thread->filter = spare->filter;
  thread->stamp = spare->stamp;
  thread->order_stamp = spare->order_stamp;
  memory::destroy(spare);
  return thread;
}

bool keep(ThreadState& thread, bool recorded) {
  SpinGuard guard(g_spare_lock);
  if (!recorded && g_spares == kUsualThreads) return false;
  ++g_spares;
  g_spare = memory::make<SpareState>(g_spare, &thread, thread.sets, thread.filter, thread.stamp,
                                     thread.order_stamp);
  thread.~ThreadState();
  return true;
}

}  // namespace heddle::spare_states
