#include "runtime/annotated/block_pairs.hpp"

namespace heddle::annotated {

namespace {

constexpr usize kKeysBytes = AccessSets::kWords * sizeof(AccessKey);

// Every access that the locks, or the thread, exclude from b's pairs they exclude from a's.
bool as_open(const BlockPair& a, const BlockPair& b, StrandContext& context) {
  if (a.locks != b.locks && !context.subset(a.locks, b.locks)) return false;
  return !a.claims || (!(a.claims & ~b.claims) &&
                       context.find(a.access().task())->thread.load(std::memory_order_relaxed) ==
                           context.find(b.access().task())->thread.load(std::memory_order_relaxed));
}
bool has_words(const BlockPair& a, const BlockPair& b) {
  return !(b.again & ~a.again) && !(b.rewritten & ~a.rewritten);
}

}  // namespace

void BlockPairs::remove(u32 at) {
  if (pairs_[at].keys) memory::release(pairs_[at].keys, kKeysBytes);
  pairs_.erase_swap(at);
}

void BlockPairs::forget(u64 words) {
  for (u32 i = 0; i < pairs_.size();) {
    pairs_[i].again &= ~words;
    pairs_[i].rewritten &= ~words;
    if (pairs_[i].again | pairs_[i].rewritten)
      ++i;
    else
      remove(i);
  }
}

void BlockPairs::add(BlockPair now, StrandContext& context) {
  const u32 task = now.access().task();
  AccessKey* spare = nullptr;
  bool superfluous = false;
  for (u32 i = 0; i < pairs_.size();) {
    BlockPair& earlier = pairs_[i];
    const race::Access access = earlier.access();
    if (access.task() == task || context.before_by_structure(access)) {
      if (as_open(now, earlier, context)) {
        earlier.again &= ~now.again;
        earlier.rewritten &= ~now.rewritten;
      }
      if (!(earlier.again | earlier.rewritten)) {
        if (!spare) std::swap(spare, earlier.keys);
        remove(i);
        continue;
      }
    } else if (!superfluous && has_words(earlier, now) && as_open(earlier, now, context)) {
      const race::StandsFrom from = context.stands_from(access);
      superfluous = access.index() >= from.by_structure && access.index() >= from.in_full;
    }
    ++i;
  }
  if (superfluous) {
    if (spare) memory::release(spare, kKeysBytes);
    return;
  }
  if (now.all) {
    if (spare) memory::release(spare, kKeysBytes);
    now.keys = nullptr;
  } else {
    const AccessKey* from = now.keys;
    now.keys = spare ? spare : static_cast<AccessKey*>(memory::allocate_unzeroed(kKeysBytes));
    __builtin_memcpy(now.keys, from, kKeysBytes);
  }
  pairs_.push_back(now);
  if (pairs_.size() < compact_at_) return;
  compact(context);
  compact_at_ = pairs_.size() < 4 ? 8 : 2 * pairs_.size();
}

// Many tasks that wait for one join: one of them stands for the others. Looked for whenever there are twice as many.
// Tasks under one lock stand for each other by structure alone, since each releases to the next; but what comes before
// the newest in full has that one in its place there.
void BlockPairs::compact(StrandContext& context) {
  const BlockPair now = pairs_[pairs_.size() - 1];
  for (u32 i = 0; i < pairs_.size();) {
    bool superfluous = false;
    const race::Access x = pairs_[i].access();
    const bool before_now = x.strand != now.strand && has_words(now, pairs_[i]) &&
                            as_open(now, pairs_[i], context) && context.before_in_full(x);
    for (u32 j = 0; j < pairs_.size() && !superfluous; ++j) {
      if (j == i || !has_words(pairs_[j], pairs_[i]) || !as_open(pairs_[j], pairs_[i], context)) continue;
      const race::Access y = pairs_[j].access();
      const race::StandsFrom from = context.stands_from(y, x);
      superfluous = y.index() >= from.by_structure && (before_now || y.index() >= from.in_full);
    }
    if (superfluous)
      remove(i);
    else
      ++i;
  }
}

}  // namespace heddle::annotated
