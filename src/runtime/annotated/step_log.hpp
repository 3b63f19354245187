// The accesses of a step to annotated data so far: its first accesses, which form pairs with later ones of the same
// step.
//
// Most steps end before a second access, or make it within the same critical section (repeated_touches.hpp). So an
// access is only logged: one entry for the part of a block that was accessed from one place. Entries are looked up
// only when the step accesses more.
//
// Thread safety: the task's own.
#pragma once

#include "base/hash_map.hpp"
#include "base/vector.hpp"
#include "runtime/shadow/access_sets.hpp"

namespace heddle::annotated {

struct Touch {
  uptr block = 0;  // its address
  u64 words = 0, written = 0;
  u64 brought = 0;    // words whose firsts are beside the shadow already
  AccessKey key = 0;  // of the place, of a pattern of places, or of repetitions
  u32 locks = 0;
  u32 seen = 0;      // the moment of the step
  u32 bound_to = 0;  // the thread, or 0
  u32 next = 0;      // the next one of this block, and 1
};

class StepLog {
 public:
  ~StepLog() {
    clear();
    if (room_) memory::destroy(room_);
  }
  bool empty() const { return size() == 0; }
  u32 size() const { return room_ ? room_->touches.size() : 0; }
  void clear();

  void add(const Touch& touch) {
    if (HEDDLE_UNLIKELY(!room_)) room_ = memory::make<Room>();
    if (HEDDLE_UNLIKELY(room_->touches.size() == kUsual)) take_spare_room();
    room_->touches.push_back(touch);
  }
  // Words that were touched by the first `earlier` entries, and after that by those that had to be looked up.
  u64 touched(uptr block, u32 earlier) {
    const Known* known = find(block, earlier);
    return known ? known->touched : 0;
  }
  // Words that were found by it.
  u64 known(uptr block) { return indexed_ ? touched(block, indexed_) : 0; }
  // Adds what is not known yet. REQUIRES: all earlier ones may be looked up.
  void add_if_new(Touch touch);
  // Visits what was touched of the block, in its order; those that could be looked up.
  template <class Visit>
  void for_each(uptr block, Visit visit) {
    const Known* known = find(block, indexed_);
    for (u32 at = known ? known->first : 0; at; at = room_->touches[at - 1].next)
      visit(room_->touches[at - 1]);
  }
  // These words are new memory.
  void forget(uptr block, u64 words);

 private:
  struct Known {
    u64 touched = 0;
    u64 written = 0;        // by accesses that are not bound to a thread
    u64 bound_touched = 0;  // the same of those that are
    u64 bound_written = 0;
    u32 first = 0, last = 0;
  };
  struct Room {
    Vector<Touch> touches;
    HashMap<Known> by_block;
  };
  // What is longer leaves its room to others: a thread that works on large arrays is one step, and would ask the kernel
  // for the same pages as the one before it.
  static constexpr u32 kUsual = 512;
  struct Stock;
  static Stock g_stock;

  const Known* find(uptr block, u32 earlier);
  void index(u32 at);
  void take_spare_room();
  static void leave(Room* room);

  Room* room_ = nullptr;  // null until there is something
  u32 indexed_ = 0;
};

}  // namespace heddle::annotated
