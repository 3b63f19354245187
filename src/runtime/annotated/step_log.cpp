#include "runtime/annotated/step_log.hpp"

#include "base/spin_lock.hpp"

namespace heddle::annotated {

struct StepLog::Stock {
  static constexpr u32 kMost = 8;
  SpinLock lock;
  Room* rooms[kMost] = {};
  u32 count = 0;
};
constinit StepLog::Stock StepLog::g_stock;

void StepLog::clear() {
  indexed_ = 0;
  if (size() > kUsual) return leave(std::exchange(room_, nullptr));
  if (!room_) return;
  room_->touches.clear();
  room_->by_block.reset();
}

void StepLog::leave(Room* room) {
  for (const Touch& touch : room->touches)
    room->by_block.erase(touch.block);  // there may be room for many more
  room->touches.clear();
  {
    SpinGuard guard(g_stock.lock);
    if (g_stock.count < Stock::kMost) {
      g_stock.rooms[g_stock.count++] = room;
      return;
    }
  }
  memory::destroy(room);
}

void StepLog::take_spare_room() {
  Room* spare = nullptr;
  {
    SpinGuard guard(g_stock.lock);
    if (g_stock.count) spare = g_stock.rooms[--g_stock.count];
  }
  if (!spare) return;
  for (const Touch& touch : room_->touches) spare->touches.push_back(touch);
  room_->by_block.for_each([&](u64 block, const Known& known) { spare->by_block[block] = known; });
  memory::destroy(std::exchange(room_, spare));
}

void StepLog::index(u32 at) {
  Vector<Touch>& touches = room_->touches;
  const Touch& touch = touches[at];
  Known& known = room_->by_block[touch.block];
  known.touched |= touch.words;
  known.written |= touch.bound_to ? 0 : touch.written;
  known.bound_touched |= touch.bound_to ? touch.words : 0;
  known.bound_written |= touch.bound_to ? touch.written : 0;
  (known.last ? touches[known.last - 1].next : known.first) = at + 1;
  known.last = at + 1;
}

const StepLog::Known* StepLog::find(uptr block, u32 earlier) {
  for (; indexed_ < earlier; ++indexed_) index(indexed_);
  return room_ ? room_->by_block.find(block) : nullptr;
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
  add(touch);
  index(indexed_++);
}

void StepLog::forget(uptr block, u64 words) {
  if (empty() || !find(block, size())) return;
  Known& known = *room_->by_block.find(block);
  for (u64* some : {&known.touched, &known.written, &known.bound_touched, &known.bound_written})
    *some &= ~words;
  for (u32 at = known.first; at; at = room_->touches[at - 1].next) {
    Touch& touch = room_->touches[at - 1];
    for (u64* some : {&touch.words, &touch.written, &touch.brought}) *some &= ~words;
  }
}

}  // namespace heddle::annotated
