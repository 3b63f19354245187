#include "runtime/step_log.hpp"

namespace heddle::watched {

void StepLog::clear() {
  constexpr u32 kUsual = 4096;  // more than that is not kept for the next step
  if (touches_.size() > kUsual)
    touches_.reset();
  else
    touches_.clear();
  if (by_block_) memory::destroy(by_block_);
  by_block_ = nullptr;
  indexed_ = 0;
}

void StepLog::index(u32 at) {
  if (!by_block_) by_block_ = memory::make<HashMap<Known>>();
  const Touch& touch = touches_[at];
  Known& known = (*by_block_)[touch.block];
  known.touched |= touch.words;
  known.written |= touch.bound_to ? 0 : touch.written;
  known.bound_touched |= touch.bound_to ? touch.words : 0;
  known.bound_written |= touch.bound_to ? touch.written : 0;
  (known.last ? touches_[known.last - 1].next : known.first) = at + 1;
  known.last = at + 1;
}

const StepLog::Known* StepLog::find(uptr block, u32 earlier) {
  for (; indexed_ < earlier; ++indexed_) index(indexed_);
  return by_block_ ? by_block_->find(block) : nullptr;
}

void StepLog::add_if_new(Touch touch) {
  if (const Known* known = find(touch.block, size())) {
    const u64 touched = touch.bound_to ? known->bound_touched : known->touched & ~known->bound_touched;
    const u64 written = touch.bound_to ? known->bound_written : known->written;
    const u64 is_new = (touch.words & ~touched) | (touch.written & ~written);
    touch.words &= is_new;
    touch.written &= is_new;
    touch.brought &= is_new;
    if (!is_new) return;
  }
  touches_.push_back(touch);
  index(indexed_++);
}

void StepLog::forget(uptr block, u64 words) {
  if (empty() || !find(block, size())) return;
  Known& known = *by_block_->find(block);
  for (u64* some : {&known.touched, &known.written, &known.bound_touched, &known.bound_written})
    *some &= ~words;
  for (u32 at = known.first; at; at = touches_[at - 1].next)
    for (u64* some : {&touches_[at - 1].words, &touches_[at - 1].written, &touches_[at - 1].brought})
      *some &= ~words;
}

}  // namespace heddle::watched
