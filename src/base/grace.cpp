#include "base/grace.hpp"

#include "base/spin_lock.hpp"
#include "base/system_call.hpp"

namespace heddle::grace {
namespace {

SpinLock g_lock;
Reader* g_readers = nullptr;
u64 g_made = 0;

// The parameters of membarrier(2): its header need not be there.
constexpr int kExpedited = 1 << 3, kRegisterExpedited = 1 << 4;

bool make_all_stores_visible() {
  if (system_call(SYS_membarrier, kExpedited, 0, 0) == 0) return true;
  return system_call(SYS_membarrier, kRegisterExpedited, 0, 0) == 0 &&
         system_call(SYS_membarrier, kExpedited, 0, 0) == 0;
}

}  // namespace

void add(Reader& reader) {
  SpinGuard guard(g_lock);
  reader.number_ = ++g_made;
  reader.next_ = g_readers;
  g_readers = &reader;
}

void remove(Reader& reader) {
  SpinGuard guard(g_lock);
  Reader** at = &g_readers;
  while (*at != &reader) at = &(*at)->next_;
  *at = reader.next_;
}

void Period::begin() {
  waited_.clear();
  never_ = !make_all_stores_visible();
  if (never_) return;
  SpinGuard guard(g_lock);
  for (const Reader* reader = g_readers; reader; reader = reader->next_) {
    const u64 state = reader->state_.load(std::memory_order_acquire);
    if (state & Reader::kDepth) waited_.push_back({reader->number_, state & ~Reader::kDepth});
  }
}

bool Period::over() {
  if (never_) return false;
  if (waited_.empty()) return true;
  SpinGuard guard(g_lock);
  for (u32 i = 0; i < waited_.size();) {
    bool inside = false;
    for (const Reader* reader = g_readers; reader; reader = reader->next_) {
      if (reader->number_ != waited_[i].number) continue;
      const u64 state = reader->state_.load(std::memory_order_acquire);
      inside = (state & Reader::kDepth) && (state & ~Reader::kDepth) == waited_[i].state;
    }
    if (inside)
      ++i;
    else
      waited_.erase_swap(i);
  }
  return waited_.empty();
}

}  // namespace heddle::grace
