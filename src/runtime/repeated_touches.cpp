#include "runtime/repeated_touches.hpp"

#include "runtime/judge.hpp"
#include "runtime/meant_path.hpp"
#include "runtime/strand_context.hpp"

namespace heddle {

namespace {

AccessKey after(ThreadState& thread, AccessKey so_far, AccessKey now) {
  const u64 asked = u64{so_far} << 32 | now;
  ThreadState::RepeatsCache& known = repeats_cache(thread, so_far, now);
  if (HEDDLE_LIKELY(known.so_far_and_now == asked)) return known.after;
  known = {asked, rt().repeats.after(so_far, now)};
  return known.after;
}

// One go after the other.
AccessKey after_all(ThreadState& thread, AccessKey so_far, AccessKey key) {
  const Repeated then = rt().repeats.get(key);
  u32 writes = then.first & 1;
  so_far = after(thread, so_far, then.first);
  if (then.again) {
    so_far = after(thread, so_far, then.again);
    writes += then.again & 1;
  }
  if (then.write && writes == 0) {
    so_far = after(thread, so_far, then.write);
    ++writes;
  }
  return then.rewrite && writes == 1 ? after(thread, so_far, then.rewrite) : so_far;
}

// REQUIRES: all of them are pending.
void touch_again(ThreadState& thread, BlockSet& set, AccessSets::Keys& keys, u64 words, AccessKey now) {
  RepeatedWords& repeated = keys.repeated;
  const bool write = now & 1;
  AccessKey so_far = 0, both = 0;  // two words of one access often have the same
  for (u64 left = words; left; left &= left - 1) {
    const u64 bit = left & -left;
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    if (repeated.meant & bit) {
      if (const AccessKey key = keys.key(word); key != so_far) {
        so_far = key;
        both = after(thread, so_far, now);
      }
      keys.again_of_word[word] = both;
      repeated.again |= bit;
      if (write && (repeated.written & bit)) {
        repeated.rewritten |= bit;
        set.unwritten &= ~bit;
      }
    } else {
      set.unwritten &= ~bit;
    }
    if (write && !(repeated.written & bit)) keys.of_word[word] = now;
    if (write) repeated.written |= bit;
    set.unread &= ~bit;
  }
}

}  // namespace

void prepare_repeats(ThreadState& thread, BlockSet& set, u64 meant, u64 closely) {
  judge_block(thread, set);
  AccessSets::Keys& keys = make_dirty_with_keys(thread, set);
  keys.repeated = {meant, closely, 0, 0, 0};
  set.repeats = static_cast<u16>(&keys - thread.sets.keys + 1);
}

bool touch_meant(ThreadState& thread, BlockSet& set, u64 words, bool write, uptr pc) {
  AccessSets::Keys& keys = thread.sets.keys[set.repeats - 1];
  RepeatedWords& repeated = keys.repeated;
  if (HEDDLE_UNLIKELY(words & repeated.closely)) return false;
  if (HEDDLE_UNLIKELY(rt().repeats.full()) && (words & set.pending)) return false;
  words &= write ? set.unwritten : set.unread;
  const AccessKey now = current_site(thread, pc) << 1 | u32{write};
  const u64 fresh = words & ~set.pending;
  for (u64 left = fresh; left; left &= left - 1) keys.of_word[__builtin_ctzll(left)] = now;
  set.pending |= fresh;
  if (write) repeated.written |= fresh;
  if (const u64 others = fresh & ~repeated.meant; HEDDLE_UNLIKELY(others)) {
    set.unread &= ~others;
    if (write) set.unwritten &= ~others;
  }
  if (fresh != words) touch_again(thread, set, keys, words & ~fresh, now);
  return true;
}

u64 continue_earlier(ThreadState& thread, const BlockSet& set, uptr base, u32 earlier) {
  AccessSets::Keys& keys = thread.sets.keys[set.repeats - 1];
  watched::Step& step = *thread.context->step;
  const u64 before = set.pending & keys.repeated.meant & step.log.touched(base, earlier);
  if (!before) return 0;
  const u32 now = step.moments.now(), bound_to = thread.context->bound ? thread.number : 0;
  u64 others = HEDDLE_UNLIKELY(rt().repeats.full()) ? before : 0;
  constexpr u32 kMost = 8;
  const watched::Touch* touches[kMost];
  u32 count = 0;
  step.log.for_each(base, [&](const watched::Touch& touch) {
    if (touch.seen != now || touch.bound_to != bound_to || !touch.key || count == kMost)
      others |= touch.words & before;
    else
      touches[count++] = &touch;
  });
  AccessKey asked[2] = {}, known = 0;  // the same two for word after word
  for (u64 left = before & ~others; left; left &= left - 1) {
    const u64 bit = left & -left;
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    AccessKey key = 0;
    for (u32 i = 0; i < count; ++i) {
      if (!(touches[i]->words & bit)) continue;
      const AccessKey one = StrandContext::key_of_word(touches[i]->key, word);
      key = !key ? one : rt().repeats.get(key).write ? key : after(thread, key, rt().repeats.get(one).write);
    }
    if (asked[0] != key || asked[1] != keys.key(word)) {
      asked[0] = key;
      asked[1] = keys.key(word);
      known = after_all(thread, key, asked[1]);
    }
    keys.again_of_word[word] = known;
    keys.repeated.again |= bit;
    if (rt().repeats.get(known).rewrite) keys.repeated.rewritten |= bit;
  }
  return others;
}

}  // namespace heddle
