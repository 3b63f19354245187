#include "runtime/annotated/repeated_touches.hpp"

#include "runtime/annotated/hook_path.hpp"
#include "runtime/races/pending.hpp"
#include "runtime/races/strand_context.hpp"
#include "runtime/state/current_stack.hpp"

namespace heddle {

namespace {

AccessKey after(ThreadState& thread, AccessKey so_far, AccessKey now) {
  const u64 asked = u64{so_far} << 32 | now;
  ThreadState::RepeatsCache& known = repeats_cache(thread, so_far, now);
  if (HEDDLE_LIKELY(known.so_far_and_now == asked)) return known.after;
  known = {asked, rt().repeats.after(so_far, now)};
  return known.after;
}

// Both sequences of accesses, one after the other.
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

// REQUIRES: all of them are pending, and the same was done to all of them.
void touch_alike(ThreadState& thread, BlockSet& set, AccessSets::Keys& keys, u64 words, AccessKey so_far,
                 AccessKey now) {
  RepeatedWords& repeated = keys.repeated;
  const bool write = now & 1;
  set.unread &= ~words;
  if (const u64 annotated = words & repeated.annotated) {
    set_words(keys.again_of_word, annotated, after(thread, so_far, now));
    repeated.again |= annotated;
    if (write) {
      repeated.rewritten |= annotated & repeated.written;
      set.unwritten &= ~(annotated & repeated.written);
    }
  }
  if (!write) return;
  set.unwritten &= ~(words & ~repeated.annotated);
  if (const u64 first = words & ~repeated.written) set_words(keys.of_word, first, now);
  repeated.written |= words;
}

// REQUIRES: all of them are pending.
void touch_again(ThreadState& thread, BlockSet& set, AccessSets::Keys& keys, u64 words, AccessKey now) {
  while (words) {
    const u32 word = static_cast<u32>(__builtin_ctzll(words));
    u64 same = words & -words;
    const AccessKey so_far = keys.key(word);
    // One or two words of one access are checked one by one; a walk over a block leaves the same in all of it.
    if (const u64 others = words & (words - 1); others & (others - 1)) same = words & keys.same_as(word);
    touch_alike(thread, set, keys, same, so_far, now);
    words &= ~same;
  }
}

}  // namespace

void prepare_repeats(ThreadState& thread, BlockSet& set, u64 annotated, u64 closely) {
  flush_block(thread, set);
  make_dirty(thread, set);
  // Where all accesses come to a slow path that knows annotated data only, the site is not taken for that of settled
  // words.
  if (annotated == ~u64{0} && !closely && rt().only_annotated) {
    set.repeats = BlockSet::kOnce;
    return;
  }
  AccessSets::Keys& keys = add_keys(thread);
  keys.repeated = {annotated, closely, 0, 0, 0};
  set.repeats = static_cast<u16>(&keys - thread.sets.keys + 1);
}

AccessSets::Keys& spell_out_repeats(ThreadState& thread, BlockSet& set) {
  if (set.repeats != BlockSet::kOnce) return thread.sets.keys[set.repeats - 1];
  AccessSets::Keys& keys = add_keys(thread);
  const bool write = set.write_site != 0;
  const AccessKey key = (write ? set.write_site : set.read_site) << 1 | u32{write};
  set_words(keys.of_word, set.pending, key);
  keys.repeated = {~u64{0}, 0, write ? set.pending : 0, 0, 0};
  set.read_site = set.write_site = 0;
  set.repeats = static_cast<u16>(&keys - thread.sets.keys + 1);
  return keys;
}

bool touch_annotated(ThreadState& thread, BlockSet& set, u64 words, bool write, uptr pc) {
  const StackId site = current_site(thread, pc);
  words &= write ? set.unwritten : set.unread;
  if (!words) return true;
  if (set.repeats == BlockSet::kOnce && !(words & set.pending)) {
    StackId& place = write ? set.write_site : set.read_site;
    if (!set.pending) place = site;
    if (place == site) {
      set.pending |= words;
      return true;
    }
  }
  AccessSets::Keys& keys = spell_out_repeats(thread, set);
  RepeatedWords& repeated = keys.repeated;
  if (HEDDLE_UNLIKELY(words & repeated.closely)) return false;
  if (HEDDLE_UNLIKELY(rt().repeats.full()) && (words & set.pending)) return false;
  const AccessKey now = site << 1 | u32{write};
  const u64 fresh = words & ~set.pending;
  set_words(keys.of_word, fresh, now);
  set.pending |= fresh;
  if (write) repeated.written |= fresh;
  if (const u64 others = fresh & ~repeated.annotated; HEDDLE_UNLIKELY(others)) {
    set.unread &= ~others;
    if (write) set.unwritten &= ~others;
  }
  if (fresh != words) touch_again(thread, set, keys, words & ~fresh, now);
  return true;
}

u64 continue_earlier(ThreadState& thread, const BlockSet& set, uptr base, u32 earlier) {
  AccessSets::Keys& keys = thread.sets.keys[set.repeats - 1];
  annotated::Step& step = *thread.context->step;
  const u64 before = set.pending & keys.repeated.annotated & step.log.touched(base, earlier);
  if (!before) return 0;
  const u32 now = step.moments.now(), bound_to = claimed_by(thread.number, thread.what);
  u64 others = HEDDLE_UNLIKELY(rt().repeats.full()) ? before : 0;
  constexpr u32 kMost = 8;
  const annotated::Touch* touches[kMost];
  u32 count = 0;
  step.log.for_each(base, [&](const annotated::Touch& touch) {
    if (touch.seen != now || touch.bound_to != bound_to || !touch.key || count == kMost)
      others |= touch.words & before;
    else
      touches[count++] = &touch;
  });
  for (u64 left = before & ~others; left;) {
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    u64 same = left & keys.same_as(word);  // the same was done to them, now and before
    AccessKey key = 0;
    for (u32 i = 0; i < count; ++i) {
      const annotated::Touch& touch = *touches[i];
      if (!(touch.words >> word & 1)) {
        same &= ~touch.words;
        continue;
      }
      same &= SitePatterns::is_pattern(touch.key >> 1) ? u64{1} << word : touch.words;
      const AccessKey one = StrandContext::key_of_word(touch.key, word);
      key = !key ? one : rt().repeats.get(key).write ? key : after(thread, key, rt().repeats.get(one).write);
    }
    const AccessKey known = after_all(thread, key, keys.key(word));
    set_words(keys.again_of_word, same, known);
    keys.repeated.again |= same;
    if (rt().repeats.get(known).rewrite) keys.repeated.rewritten |= same;
    left &= ~same;
  }
  return others;
}

}  // namespace heddle
