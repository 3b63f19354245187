#include "runtime/access/race_mode.hpp"

#include "runtime/access/slow_path.hpp"
#include "runtime/access/touch_words.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/races/block_check.hpp"
#include "runtime/state/filter.hpp"

namespace heddle::race_mode {

void words(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  thread.active = false;
  u64 words = ((u64{1} << (size / 4)) - 1) << ((address >> 2) & 63);
  touch_words(thread, address, words, flags & race::kWrite, pc);
  thread.active = true;
}

namespace {

// The code moves on to another granule. Whole words are better checked with their block.
void end_byte_run(ThreadState& thread, ByteRun& run) {
  const ByteRun ended = std::exchange(run, {});
  const u64 words = ended.bytes == 0xff ? 3 : ended.bytes == 0x0f ? 1 : ended.bytes == 0xf0 ? 2 : 0;
  if (words && !(ended.flags & race::kBound))
    touch_words(thread, ended.granule << 3, words << (ended.granule << 1 & 63), ended.flags & race::kWrite,
                [&] { return ended.site; });
  else
    check_bytes(thread, *ended.shadow, ended.granule, ended.bytes, ended.flags, ended.site);
}

void begin_byte_run(ThreadState& thread, ByteRun& run, uptr address, u64 bytes, u64 flags, uptr pc) {
  if (run.granule) end_byte_run(thread, run);
  BlockSet* set = set_of(thread, address);
  if (!set) return;
  Block* shadow = set->shadow;
  if (!thread.any_byte_runs) make_dirty(thread, *set);
  thread.any_byte_runs = true;
  const StackId site = current_site(thread, pc);
  run = {address >> 3, pc, flags, thread.top[-1].stack, site, static_cast<u8>(bytes), shadow};
}

// A function that is called for each few bytes has a new frame each time, which nobody has asked for its stack yet.
void go_on_or_begin(ThreadState& thread, ByteRun& run, uptr address, u64 bytes, u64 flags, uptr pc) {
  if (run.granule == address >> 3 && run.pc == pc && run.flags == flags &&
      run.site == current_site(thread, pc))
    run.bytes |= static_cast<u8>(bytes);
  else
    begin_byte_run(thread, run, address, bytes, flags, pc);
}

}  // namespace

void bytes(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  thread.active = false;
  const u64 bytes = u64{((1u << size) - 1) << (address & 7)} & 0xff;
  ByteRun& run = thread.byte_runs[pc % ThreadState::kByteRuns];
  if ((flags & race::kPlain) && HEDDLE_LIKELY(!places::g_any))
    go_on_or_begin(thread, run, address, bytes, flags, pc);
  else if (BlockSet* set = set_of(thread, address); HEDDLE_LIKELY(set))
    check_bytes(thread, *set->shadow, address >> 3, bytes, flags, current_site(thread, pc));
  note_bytes(thread, address, size, flags);
  thread.active = true;
}

namespace {

// Few bytes are better treated as part of a run of bytes.
constexpr usize kFewBytes = 16;

// Memory of the thread: the sets do not know of that, so it is checked at once, 256 bytes at a time. REQUIRES: whole
// words, of one block.
void check_bound_words(ThreadState& thread, uptr address, u64 words, u64 flags, uptr pc) {
  if (BlockSet* set = set_of(thread, address)) {
    HeldBlock guard(*set->shadow);
    check_words(thread, *set->shadow, address & ~(kBlockSize - 1), words, current_site(thread, pc), flags);
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
  // What is not whole words, or not plain, goes granule by granule; what is between them 256 bytes at a time.
  uptr end = address + size;
  uptr words = plain ? (address + 3) & ~uptr{3} : end, words_end = plain ? end & ~uptr{3} : end;
  if (words >= words_end) words = words_end = end;
  auto by_granules = [&](uptr at, uptr stop) {
    while (at < stop) {
      u32 part = 8 - (at & 7);
      if (part > stop - at) part = static_cast<u32>(stop - at);
      access_bytes(thread, at, part, flags, pc);
      at += part;
    }
  };
  if (plain && size <= kFewBytes && ((address | size) & 3)) return by_granules(address, end);
  by_granules(address, words);
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
  by_granules(words_end, end);
}

constexpr AccessMode kMode{words, bytes, range, true};

}  // namespace heddle::race_mode
