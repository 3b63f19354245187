#include "runtime/recording/empty_tables.hpp"

namespace heddle::empty_tables {
namespace {

// Never written, so that a huge page of zeros, which costs nothing, is all that is looked at.
struct EmptyTables {
  SpinLock lock;
  AccessSets sets;
  FilterEntry* filter = nullptr;
} g_empty;

}  // namespace

void prepare() {
  SpinGuard guard(g_empty.lock);
  if (g_empty.filter) return;
  g_empty.sets.allocate(AccessSets::Pages::kHuge);
  g_empty.filter = make_filter();
}

void share(ThreadState& thread) {
  prepare();
  thread.sets = g_empty.sets;
  thread.filter = g_empty.filter;
}

}  // namespace heddle::empty_tables
