// Pairs within the same critical section: two accesses to a word of annotated data, without a lock acquired or released
// in between.
//
// An access between such a pair races with what the race checker keeps of it. So pairs are only checked when
// there is a race, and a strand's pairs in a block of 256 bytes are one entry, with a bit for each word. One that
// happens before a new one and is not stronger is dropped, word by word, as accesses are (docs/atomicity.md); and so
// is one for which another stands (checker/race/stands_for.hpp).
//
// Thread safety: for the holder of the block.
#pragma once

#include "base/vector.hpp"
#include "runtime/races/strand_context.hpp"

namespace heddle::annotated {

struct BlockPair {
  u64 again = 0;      // words of two accesses: a write comes between them
  u64 rewritten = 0;  // of two writes: a read does, too
  u64 strand = 0;
  u32 locks = 0;
  u64 claims = 0;             // race::kClaims
  AccessKey all = 0;          // what was done to each word (repeats.hpp), or
  AccessKey* keys = nullptr;  // to one after the other

  AccessKey key(u32 word) const { return all ? all : keys[word]; }
  race::Access access() const { return {strand, race::what_word(0, locks, 0xff, race::kPlain | claims)}; }
};

class BlockPairs {
 public:
  // `now` is what the current strand did; its keys are copied.
  void add(BlockPair now, StrandContext& context);
  void forget(u64 words);
  // What is remembered from before the last quiescent point happens before everything.
  void forget_before(u32 last_quiescent_point) {
    if (quiescent_point_ != last_quiescent_point) forget(~u64{0});
    quiescent_point_ = last_quiescent_point;
  }
  const BlockPair* begin() const { return pairs_.begin(); }
  const BlockPair* end() const { return pairs_.end(); }

 private:
  void remove(u32 at);
  void compact(StrandContext& context);

  Vector<BlockPair> pairs_;
  u32 quiescent_point_ = 0;
  u32 compact_at_ = 8;
};

}  // namespace heddle::annotated
