#include "runtime/shadow/shadow.hpp"

#include "base/memory.hpp"

namespace heddle {

Shadow::Shadow()
    : top_(static_cast<std::atomic<Low*>*>(memory::map(sizeof(std::atomic<Low*>) << kTopBits))) {}

Page* Shadow::find(uptr address) const {
  if (!covers(address)) return nullptr;
  Low* low = top_[address >> (kLowBits + kPageShift)].load(std::memory_order_acquire);
  return low ? low->page[(address >> kPageShift) & ((1u << kLowBits) - 1)].load(std::memory_order_acquire)
             : nullptr;
}

uptr Shadow::skip_unknown(uptr address, uptr end) const {
  while (address < end && covers(address)) {
    const Low* low = top_[address >> (kLowBits + kPageShift)].load(std::memory_order_acquire);
    if (low && low->any[(address >> kStretchShift) % kStretches].load(std::memory_order_acquire))
      return address;
    const u32 shift = low ? kStretchShift : kLowBits + kPageShift;
    address = ((address >> shift) + 1) << shift;
  }
  return end;
}

Page* Shadow::page(uptr address) {
  if (Page* page = find(address)) return page;
  if (!covers(address)) return nullptr;
  SpinGuard guard(lock_);
  std::atomic<Low*>& top = top_[address >> (kLowBits + kPageShift)];
  Low* low = top.load(std::memory_order_relaxed);
  if (!low) {
    low = static_cast<Low*>(memory::map(sizeof(Low)));
    low->next = lows_;
    __atomic_store_n(&lows_, low, __ATOMIC_RELEASE);
    top.store(low, std::memory_order_release);
  }
  std::atomic<Page*>& slot = low->page[(address >> kPageShift) & ((1u << kLowBits) - 1)];
  Page* page = slot.load(std::memory_order_relaxed);
  if (!page) {
    constexpr usize kBatch = 56;  // 64 KiB, nearly
    if (spare_ == spare_end_) {
      spare_ = static_cast<Page*>(memory::map_dense(kBatch * sizeof(Page)));
      spare_end_ = spare_ + kBatch;
    }
    page = spare_++;
    low->any[(address >> kStretchShift) % kStretches].store(true, std::memory_order_release);
    slot.store(page, std::memory_order_release);
  }
  return page;
}

}  // namespace heddle
