#include "runtime/access/race_mode.hpp"

#include "runtime/access/touch_words.hpp"
#include "runtime/races/block_check.hpp"
#include "runtime/state/filter.hpp"

namespace heddle::race_mode {

void words(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  thread.active = false;
  u64 words = ((u64{1} << (size / 4)) - 1) << ((address >> 2) & 63);
  touch_words(thread, address, words, flags & race::kWrite, pc,
              flags & race::kPlain ? Strength::kPlain : Strength::kAtomic);
  thread.active = true;
}

void bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  thread.active = false;
  if ((flags & (race::kPlain | race::kBound)) == race::kPlain) {
    touch_bytes(thread, address, size, flags & race::kWrite, pc);
  } else {
    const u64 bytes = u64{((1u << size) - 1) << (address & 7)} & 0xff;
    if (BlockSet* set = set_of(thread, address, flags & race::kWrite); HEDDLE_LIKELY(set))
      check_bytes(thread, *set->shadow, address >> 3, bytes, flags, current_site(thread, pc));
    if (flags & race::kWrite) note_own_write(thread, address, nullptr);
    note_bytes(thread, address, size, flags);
  }
  thread.active = true;
}

namespace {

// Few bytes are better treated as such.
constexpr usize kFewBytes = 16;

// Memory of the thread: the sets do not know of that, so it is checked at once, 256 bytes at a time. REQUIRES: whole
// words, of one block.
void check_bound_words(ThreadState& thread, uptr address, u64 words, u64 flags, uptr pc) {
  if (BlockSet* set = set_of(thread, address, flags & race::kWrite)) {
    grace::Reading reading(thread.reader);
    HeldBlock guard(*set->shadow);
    check_words(thread, *set->shadow, address & ~(kBlockSize - 1), words, current_site(thread, pc), flags);
    if (flags & race::kWrite) note_own_write(thread, address, nullptr);
  }
}

}  // namespace

void range(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  const bool plain = flags & race::kPlain, write = flags & race::kWrite, bound = flags & race::kBound;
  if (plain && !bound && ((address | size) & 3) == 0 && (address & (kBlockSize - 1)) + size < kBlockSize) {
    thread.active = false;
    touch_words(thread, address, ((u64{1} << size / 4) - 1) << (address >> 2 & 63), write, pc);
    thread.active = true;
    return;
  }
  // What is not whole words goes line by line, or granule by granule if it is not plain, or the thread's own; what is
  // between them 256 bytes at a time.
  uptr end = address + size;
  uptr words = plain ? (address + 3) & ~uptr{3} : end, words_end = plain ? end & ~uptr{3} : end;
  if (words >= words_end) words = words_end = end;
  const uptr most = plain && !bound ? kLineSize : 8;
  auto in_parts = [&](uptr at, uptr stop) {
    while (at < stop) {
      uptr part = most - (at & (most - 1));
      if (part > stop - at) part = stop - at;
      bytes(thread, at, static_cast<u32>(part), flags, pc);
      at += part;
    }
  };
  if (plain && size <= kFewBytes && ((address | size) & 3)) return in_parts(address, end);
  in_parts(address, words);
  thread.active = false;
  for (uptr at = words; at < words_end;) {
    uptr stop = (at & ~(kBlockSize - 1)) + kBlockSize;
    if (stop > words_end) stop = words_end;
    u64 some = ~u64{0} << (at >> 2 & 63);
    if (stop & (kBlockSize - 1)) some &= (u64{1} << (stop >> 2 & 63)) - 1;
    if (bound)
      check_bound_words(thread, at, some, flags, pc);
    else
      touch_words(thread, at, some, write, pc);
    at = stop;
  }
  thread.active = true;
  in_parts(words_end, end);
}

constexpr AccessMode kMode{words, bytes, range, true, true, true};

}  // namespace heddle::race_mode
