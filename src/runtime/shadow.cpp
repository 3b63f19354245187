#include "runtime/shadow.hpp"

#include "base/memory.hpp"

namespace heddle {

Shadow::Shadow()
    : top_(static_cast<std::atomic<Low*>*>(memory::map(sizeof(std::atomic<Low*>) << kTopBits))) {}

Page* Shadow::find(uptr address) const {
  if (address >> (kTopBits + kLowBits + kPageShift)) return nullptr;
  Low* low = top_[address >> (kLowBits + kPageShift)].load(std::memory_order_acquire);
  return low ? low->page[(address >> kPageShift) & ((1u << kLowBits) - 1)].load(std::memory_order_acquire)
             : nullptr;
}

Page* Shadow::page(uptr address) {
  if (Page* page = find(address)) return page;
  if (address >> (kTopBits + kLowBits + kPageShift)) return nullptr;
  SpinGuard guard(lock_);
  std::atomic<Low*>& top = top_[address >> (kLowBits + kPageShift)];
  Low* low = top.load(std::memory_order_relaxed);
  if (!low) {
    low = static_cast<Low*>(memory::map(sizeof(Low)));
    top.store(low, std::memory_order_release);
  }
  std::atomic<Page*>& slot = low->page[(address >> kPageShift) & ((1u << kLowBits) - 1)];
  Page* page = slot.load(std::memory_order_relaxed);
  if (!page) {
    page = static_cast<Page*>(memory::allocate(sizeof(Page)));
    slot.store(page, std::memory_order_release);
  }
  return page;
}

Page* Shadow::page_with_cells(uptr address) {
  Page* page = this->page(address);
  if (page && !page->cells.load(std::memory_order_acquire)) {
    SpinGuard guard(lock_);
    if (!page->cells.load(std::memory_order_relaxed))
      page->cells.store(make_cells(), std::memory_order_release);
  }
  return page;
}

race::Cell* Shadow::make_cells() {
  constexpr usize kBytes = kCellsPerPage * sizeof(race::Cell);
  constexpr usize kBatch = 64 * kBytes;
  if (spare_ == spare_end_) {
    spare_ = static_cast<char*>(memory::map(kBatch));
    spare_end_ = spare_ + kBatch;
  }
  auto* cells = reinterpret_cast<race::Cell*>(spare_);
  spare_ += kBytes;
  return cells;
}

}  // namespace heddle
