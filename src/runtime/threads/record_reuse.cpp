#include "runtime/threads/record_reuse.hpp"

#include "base/check.hpp"

namespace heddle::record_reuse {
namespace {

std::atomic<bool> g_at_it{false};
std::atomic<bool> g_waits{false};  // for the end of the period
grace::Period g_period;
usize g_looked_at = 0;

// What is obsolete is dropped, so that it names nobody. A block without accesses gets none of tasks that have ended.
void look_at(Block& block) {
  ++g_looked_at;
  if (block.remembers.empty() && !__atomic_load_n(&block.common_to, __ATOMIC_RELAXED)) return;
  order::Records& records = rt().order.records();
  VersionGuard guard(block.lock);
  block.forget_before(rt().order.quiescent_points());
  block.remembers.for_each([&](const race::Cell& cell) {
    for (u32 i = 0; i < cell.count(); ++i) records.name(cell.at(i).task());
  });
  if (!block.common_reads)
    block.common_to = nullptr;
  else
    records.name(const_cast<order::Scope&>(*block.common_to));
}

void mark() {
  order::Records& records = rt().order.records();
  records.begin();
  g_looked_at = 0;
  // First: a free is copied from there to the shadow.
  rt().heap.for_each([&](const HeapBlock& block) {
    ++g_looked_at;
    if (block.task) records.name(block.task);
    if (!block.freed_by.empty()) records.name(block.freed_by.task());
  });
  rt().shadow.for_each_page([](Page& page) {
    for (Block& block : page.blocks) look_at(block);
  });
  records.finish();
}

void go_on() {
  if (!g_waits.load(std::memory_order_relaxed)) {
    mark();
    g_period.begin();
    g_waits.store(true, std::memory_order_relaxed);
  } else if (g_period.over()) {
    rt().order.records().free(g_looked_at);
    g_waits.store(false, std::memory_order_relaxed);
  }
}

}  // namespace

void start() { rt().order.records().start_collecting(); }

void collect(ThreadState& thread) {
  const order::Records& records = rt().order.records();
  constexpr u32 kSeldom = 16;
  if (HEDDLE_LIKELY(!records.due() && !g_waits.load(std::memory_order_relaxed))) return;
  if (g_waits.load(std::memory_order_relaxed) && thread.stamp % kSeldom) return;
  if (g_at_it.exchange(true, std::memory_order_acquire)) return;
  go_on();
  g_at_it.store(false, std::memory_order_release);
}

void collect_now() {
  if (!g_waits.load(std::memory_order_relaxed)) go_on();
  go_on();
  HEDDLE_CHECK(!g_waits.load(std::memory_order_relaxed));
}

}  // namespace heddle::record_reuse
