// What the current strand of a thread has touched, by blocks of 256 bytes: the access sets of TARDIS (Lu et al. 2014).
//
// An access that the strand has already made, at least as strongly, changes nothing: a bit for every four bytes says
// so. A first touch sets its bit and is *pending*: it is checked with all others of its block when the strand ends (or
// the block's place is needed), so that one verdict serves them all. That is early enough: whatever comes after the
// strand comes after its end, and whatever is parallel to it may as well be checked first.
//
// One line of cache answers the usual access. Bits count only while the tag says "these bytes, this strand".
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "runtime/shadow/shadow.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle {

// Where an access came from, and what it was: site << 1 | written.
using AccessKey = u32;

struct alignas(64) BlockSet {
  u64 tag;
  u64 unread;  // neither read nor written yet
  u64 unwritten;
  u64 pending;  // first touches that are not checked yet
  // Where the pending ones came from: often all reads from one place, all writes from another. Else the key of each
  // word says it, and these are 0, as they are while nothing is pending.
  StackId read_site, write_site;
  AccessKey* keys;
  Block* shadow;
  bool common;  // the last check of this block found only reads in common: perhaps so again
  // With annotated data, something pending: where its keys and repetitions are, and 1. Then `keys` and the sites above
  // say nothing, so that every access that may be the second one comes to the slow path. Or kOnce: so far each was
  // touched once, all by reads or all by writes from one place, which is the site above.
  u16 repeats;
  static constexpr u16 kOnce = 0xffff;
  u32 all_annotated;  // annotated::g_changes when all of its words were annotated, each by itself

  // A word that was read and then written is pending as a write, and that is enough: an access that races with the
  // read races with it.
  u64 pending_writes() const { return pending & ~unwritten; }
  u64 pending_reads() const { return pending & unwritten; }
};

// Of such a block: which words are annotated, and what the strand has done to those that are pending.
struct RepeatedWords {
  u64 annotated;
  u64 closely;  // annotated in part, or in a group: every access is checked when it is made
  u64 written;
  u64 again, rewritten;  // touched twice; written twice
};

// Bytes of one granule that code at one place has touched one by one, and that are not checked yet.
struct ByteRun {
  uptr granule = 0;  // 0: none
  uptr pc = 0;
  u64 flags = 0;
  StackId caller = 0, site = 0;
  u8 bytes = 0;
  Block* shadow = nullptr;
};

bool same_keys(const AccessKey* a, const AccessKey* b);
// REQUIRES, of both: the set has keys, none for what is not pending.
u32 hash_keys(const BlockSet& set);
// Are the keys of the pending words among these?
bool has_keys(const BlockSet& set, const AccessKey* keys);
// The pending words of the set that have this key.
u64 words_with(const BlockSet& set, AccessKey key);
// The words of a block whose keys these are that have this one.
u64 words_equal(const AccessKey* keys, AccessKey key);
// These words have this key from now on.
void set_words(AccessKey* keys, u64 words, AccessKey key);

struct AccessSets {
  static constexpr u32 kWords = kBlockSize / 4;
  static constexpr u32 kBlocks = 32768;  // 8 MiB of reach, direct-mapped
  // A tag is the block's number and, above it, the stamp of the strand.
  static constexpr u32 kNumberBits = 39;
  static constexpr u64 kNumber = (u64{1} << kNumberBits) - 1;
  static constexpr u64 kLastStamp = ~u64{0} >> kNumberBits;

  BlockSet* blocks = nullptr;
  u64 stamp = 0;  // of the current strand, in its place in a tag; 0 while nothing may match

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

  // From the kernel and untouched, so that a thousand idle threads cost nothing; what is used `heavily` may cost
  // something.
  void allocate(bool heavily) {
    const usize bytes = kBlocks * sizeof(BlockSet);
    blocks = static_cast<BlockSet*>(heavily ? memory::map_huge(bytes) : memory::map(bytes));
    dirty = static_cast<u32*>(memory::map(kDirty * sizeof(u32)));
    keys = static_cast<Keys*>(memory::map(kDirty * sizeof(Keys)));
  }
  void release() {
    memory::unmap(blocks, kBlocks * sizeof(BlockSet));
    memory::unmap(dirty, kDirty * sizeof(u32));
    memory::unmap(keys, kDirty * sizeof(Keys));
  }
};

HEDDLE_INLINE BlockSet& block_set(const AccessSets& sets, uptr address) {
  // Arrays a power of two apart are common, and walked in step: they must not fall on each other. So the block's number
  // is mixed with itself; in units of bytes, as that spares a shift.
  static_assert(sizeof(BlockSet) == kBlockSize / 4);
  constexpr uptr kBytes = AccessSets::kBlocks * sizeof(BlockSet);
  uptr at = (address >> 2 ^ address / (4 * AccessSets::kBlocks)) & (kBytes - sizeof(BlockSet));
  return *reinterpret_cast<BlockSet*>(reinterpret_cast<char*>(sets.blocks) + at);
}
HEDDLE_INLINE u64 tag_of(const AccessSets& sets, uptr address) { return address >> kBlockShift | sets.stamp; }

}  // namespace heddle
