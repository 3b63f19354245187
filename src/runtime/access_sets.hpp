// What the current strand of a thread has touched, by blocks of 256 bytes: the access sets of TARDIS (Lu et al. 2014).
//
// An access that the strand has already made, at least as strongly, changes nothing: a bit for every four bytes says so. A first touch
// sets its bit and is *pending*: it is judged with all others of its block when the strand ends (or the block's place
// is needed), so that one verdict serves them all. That is early enough: whatever comes after the strand comes after its end, and
// whatever is parallel to it may as well be judged first.
//
// One line of cache answers the usual access. Bits count only while the tag says "these bytes, this strand".
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"
#include "runtime/shadow.hpp"

namespace heddle {

// Where an access came from, and what it was: site << 1 | written.
using AccessKey = u32;

struct alignas(64) BlockSet {
  u64 tag;
  u64 unread;  // neither read nor written yet
  u64 unwritten;
  u64 pending;      // first touches that are not judged yet
  AccessKey* keys;  // of the pending ones, by word; null while there are none
  Block* shadow;
};

// The words of a whole set of keys that were written.
u64 written_words(const AccessKey* keys);
bool all_equal(const AccessKey* keys, AccessKey key);
bool same_keys(const AccessKey* a, const AccessKey* b);
// The pending words of the set that have this key.
u64 words_with(const BlockSet& set, AccessKey key);

struct AccessSets {
  static constexpr u32 kWords = kBlockSize / 4;
  static constexpr u32 kBlocks = 32768;  // 8 MiB of reach, direct-mapped
  // A tag is the block's number and, above it, the stamp of the strand.
  static constexpr u32 kNumberBits = 39;
  static constexpr u64 kNumber = (u64{1} << kNumberBits) - 1;
  static constexpr u64 kLastStamp = ~u64{0} >> kNumberBits;

  BlockSet* blocks = nullptr;
  u64 stamp = 0;  // of the current strand, in its place in a tag; 0 while nothing may match

  // The sets with something pending, and room for the keys of each. Few, so that they stay in the cache.
  struct Dirty {
    alignas(64) AccessKey keys[kWords];
  };
  static constexpr u32 kDirty = 512;
  u32* dirty = nullptr;  // by their place in `blocks`
  Dirty* keys = nullptr;
  u32 dirty_count = 0;

  void allocate() {
    // From the kernel and untouched, so that a thousand idle threads cost nothing.
    blocks = static_cast<BlockSet*>(memory::map(kBlocks * sizeof(BlockSet)));
    dirty = static_cast<u32*>(memory::map(kDirty * sizeof(u32)));
    keys = static_cast<Dirty*>(memory::map(kDirty * sizeof(Dirty)));
  }
  void release() {
    memory::unmap(blocks, kBlocks * sizeof(BlockSet));
    memory::unmap(dirty, kDirty * sizeof(u32));
    memory::unmap(keys, kDirty * sizeof(Dirty));
  }
};

}  // namespace heddle
