// What the current task of a thread has touched since its last release operation: the access sets of TARDIS (Lu et al.
// 2014). Whole words have a set for each block of 256 bytes, with a bit for every four bytes; all else that is plain
// has one for each line of 64 bytes, with a bit for each byte.
//
// An access that is repeated, and no stronger than before, changes nothing: its bits say so. A first
// touch sets its bit and is *pending*: it is checked with all others of its block when the strand ends (or the block's
// place is needed), so that one verdict serves them all. That is early enough: whatever comes after the strand comes
// after its end, and whatever is parallel to it may as well be checked first.
//
// One line of cache answers the usual access. Bits count only while the tag says "these bytes, this task, no release
// since".
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "runtime/shadow/shadow.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle {

// Where an access came from, and what it was: site << 1 | written.
using AccessKey = u32;

// Of 64 units, which are words or bytes.
struct UnitSet {
  u64 tag;
  u64 unread;  // neither read nor written yet
  u64 unwritten;
  u64 pending;  // first touches that are not checked yet
  // Where the pending ones came from: often all reads from one place, all writes from another. Else the key of each
  // unit says it, and these are 0, as they are while nothing is pending.
  StackId read_site, write_site;
  AccessKey* keys;
  Block* shadow;

  // A unit that was read and then written is pending as a write, and that is enough: an access that races with the
  // read races with it.
  u64 pending_writes() const { return pending & ~unwritten; }
  u64 pending_reads() const { return pending & unwritten; }
};

// The bytes of a line.
struct alignas(64) LineSet : UnitSet {};

// The words of a block.
struct alignas(64) BlockSet : UnitSet {
  bool common;  // the last check of this block found only reads in common: perhaps so again
  bool
      mixed;  // the task has also written to this block in a way that the set does not know (races/shared_marks.hpp)
  // With annotated data, something pending: where its keys and repetitions are, and 1. Then `keys` and the sites above
  // say nothing, so that every access that may be the second one comes to the slow path. Or kOnce: so far each was
  // touched once, all by reads or all by writes from one place, which is the site above.
  u16 repeats;
  static constexpr u16 kOnce = 0xffff;
  u32 all_annotated;  // annotated::g_changes when all of its words were annotated, each by itself

  bool atomic() const;
};

// Of such a block: which words are annotated, and what the strand has done to those that are pending.
struct RepeatedWords {
  u64 annotated;
  u64 closely;  // annotated in part, or in a group: every access is checked when it is made
  u64 written;
  u64 again, rewritten;  // touched twice; written twice
};

bool same_keys(const AccessKey* a, const AccessKey* b);
// REQUIRES, of both: the set has keys, none for what is not pending.
u32 hash_keys(const BlockSet& set);
// Are the keys of the pending words among these?
bool has_keys(const BlockSet& set, const AccessKey* keys);
// The pending units of the set that have this key.
u64 units_with(const UnitSet& set, AccessKey key);
// The words of a block whose keys these are that have this one.
u64 words_equal(const AccessKey* keys, AccessKey key);
// These words have this key from now on.
void set_words(AccessKey* keys, u64 words, AccessKey key);

struct AccessSets {
  static constexpr u32 kWords = kBlockSize / 4;
  static constexpr u32 kBlocks = 32768;  // 8 MiB of reach, direct-mapped
  static constexpr u32 kLines = 32768;   // 2 MiB of reach
  // A tag is the set's number and, above it, a stamp (ThreadState::marks_stamp). The number is the block's, with a bit
  // above it if the set holds its atomic accesses.
  static constexpr u32 kNumberBits = 40;
  static constexpr u64 kAtomic = u64{1} << (kNumberBits - 1);
  static constexpr u64 kNumber = (u64{1} << kNumberBits) - 1;
  static constexpr u64 kLastStamp = ~u64{0} >> kNumberBits;

  BlockSet* blocks = nullptr;
  LineSet* lines = nullptr;
  u64 stamp = 0;  // of valid marks, in its place in a tag; 0 while nothing may match
  // Of marks that were left by earlier tasks for this one, and will be left by it: reads only (races/shared_marks.hpp).
  // As `stamp`, if there are none.
  u64 read_stamp = 0;
  u64 atomics_stamp = 0;  // when a set of atomic accesses was last claimed
  u64 lines_stamp = 0;    // when a line was last claimed

  // The sets with something pending, and room for keys, should each need it. Few, so that they stay in the cache.
  struct Keys {
    alignas(64) AccessKey of_word[kWords];
    // In blocks with annotated data: what was done to words that were touched again (repeats.hpp).
    RepeatedWords repeated;
    alignas(16) AccessKey again_of_word[kWords];

    // What was done to a word of such a block, and which words that was done to.
    AccessKey key(u32 word) const { return repeated.again >> word & 1 ? again_of_word[word] : of_word[word]; }
    u64 same_as(u32 word) const;
  };
  static constexpr u32 kDirty = 512;
  u32* dirty = nullptr;  // by their place in `blocks`
  Keys* keys = nullptr;
  u32 dirty_count = 0;
  u32 keys_count = 0;
  // The same for lines. While there are any, `dirty_count` is not 0.
  static constexpr u32 kDirtyLines = 1024;
  struct LineKeys {
    alignas(64) AccessKey of_byte[kLineSize];
  };
  u32* dirty_lines = nullptr;
  LineKeys* line_keys = nullptr;
  u32 dirty_lines_count = 0;
  u32 line_keys_count = 0;

  // Sets that have been used at all. With a quarter of them, spread over the table, it pays to have it in huge pages;
  // before that, they would be most of what a small program's analysis needs.
  static constexpr u32 kMany = kBlocks / 4;
  u32 used_blocks = 0, used_lines = 0;
  enum class Pages : u8 { kSmall, kHugeOnceUsed, kHuge } pages = Pages::kSmall;

  // Before the set gets a tag.
  HEDDLE_INLINE void note_use(const BlockSet& set) {
    if (HEDDLE_UNLIKELY(!set.tag) && ++used_blocks == kMany && pages == Pages::kHugeOnceUsed)
      memory::become_huge(blocks, kBlocks * sizeof(BlockSet));
  }
  HEDDLE_INLINE void note_use(const LineSet& line) {
    if (HEDDLE_UNLIKELY(!line.tag) && ++used_lines == kMany && pages == Pages::kHugeOnceUsed)
      memory::become_huge(lines, kLines * sizeof(LineSet));
  }

  // From the kernel and untouched: a thread costs what it uses.
  void allocate(Pages in) {
    pages = in;
    auto map = [&](usize bytes) {
      return pages == Pages::kHuge ? memory::map_huge(bytes) : memory::map_aligned(bytes);
    };
    blocks = static_cast<BlockSet*>(map(kBlocks * sizeof(BlockSet)));
    lines = static_cast<LineSet*>(map(kLines * sizeof(LineSet)));
    dirty = static_cast<u32*>(memory::map((kDirty + kDirtyLines) * sizeof(u32)));
    dirty_lines = dirty + kDirty;
    keys = static_cast<Keys*>(memory::map(kDirty * sizeof(Keys)));
    line_keys = static_cast<LineKeys*>(memory::map(kDirtyLines * sizeof(LineKeys)));
  }
  void release() {
    memory::unmap(blocks, kBlocks * sizeof(BlockSet));
    memory::unmap(lines, kLines * sizeof(LineSet));
    memory::unmap(dirty, (kDirty + kDirtyLines) * sizeof(u32));
    memory::unmap(keys, kDirty * sizeof(Keys));
    memory::unmap(line_keys, kDirtyLines * sizeof(LineKeys));
  }
};

inline bool BlockSet::atomic() const { return tag & AccessSets::kAtomic; }

// Of plain or of atomic accesses: a block has a set for each. So both are pending as words, though a plain access is
// not marked by an atomic one.
enum class Strength : u8 { kPlain, kAtomic };

HEDDLE_INLINE BlockSet& block_set(const AccessSets& sets, uptr address,
                                  Strength strength = Strength::kPlain) {
  // Arrays a power of two apart are common, and walked in step: they must not fall on each other. So the block's number
  // is mixed with itself; in units of bytes, as that spares a shift.
  static_assert(sizeof(BlockSet) == kBlockSize / 4);
  constexpr uptr kBytes = AccessSets::kBlocks * sizeof(BlockSet);
  uptr at = (address >> 2 ^ address / (4 * AccessSets::kBlocks)) & (kBytes - sizeof(BlockSet));
  if (strength == Strength::kAtomic) at ^= kBytes / 2;
  return *reinterpret_cast<BlockSet*>(reinterpret_cast<char*>(sets.blocks) + at);
}
// The set of a line. Its tag has the number of the line's block: which of the four lines it is follows from where the
// set is.
HEDDLE_INLINE LineSet& line_set(const AccessSets& sets, uptr address) {
  static_assert(sizeof(LineSet) == kLineSize);
  constexpr uptr kBytes = AccessSets::kLines * sizeof(LineSet);
  const uptr at = (address ^ address / AccessSets::kLines) & (kBytes - sizeof(LineSet));
  return *reinterpret_cast<LineSet*>(reinterpret_cast<char*>(sets.lines) + at);
}
HEDDLE_INLINE u64 number_of(uptr address, Strength strength = Strength::kPlain) {
  return address >> kBlockShift | (strength == Strength::kAtomic ? AccessSets::kAtomic : 0);
}
HEDDLE_INLINE u64 tag_of(const AccessSets& sets, uptr address, Strength strength = Strength::kPlain) {
  return number_of(address, strength) | sets.stamp;
}
// Do the marks of the set with this tag count for such an access? Those of a set for reads only do not for writes.
HEDDLE_INLINE bool counts(const AccessSets& sets, u64 tag, uptr address, bool write,
                          Strength strength = Strength::kPlain) {
  const u64 stamp = tag ^ number_of(address, strength);
  return HEDDLE_LIKELY(stamp == sets.stamp) || (!write && stamp == sets.read_stamp);
}

}  // namespace heddle
