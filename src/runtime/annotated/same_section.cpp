#include "runtime/annotated/same_section.hpp"

#include "runtime/annotated/block_pairs.hpp"
#include "runtime/annotated/firsts.hpp"
#include "runtime/annotated/repeated_touches.hpp"
#include "runtime/races/block_check.hpp"
#include "runtime/races/common_reads.hpp"
#include "runtime/races/pending.hpp"

namespace heddle::annotated {
namespace {

// Words that the step has touched before: they may end a pair.
template <class KeyOf>
void meet_earlier(ThreadState& thread, Step& step, Block& block, uptr base, u64 words, KeyOf key_of) {
  HeldBlock guard(block);
  Page& page = page_of(block, base);
  const Access now{thread.strand, thread.what};
  const u32 bound_to = claimed_by(thread.number, thread.what);
  for (u32 first_word = 0; first_word < AccessSets::kWords; first_word += 16) {
    const u64 here = words & u64{0xffff} << first_word;
    const uptr address = base + first_word * 4;
    Line* line = here ? find_line(page, address) : nullptr;
    if (!line) continue;
    Now context(thread, &block, address, nullptr, now);
    forget_obsolete(line->location, line->quiescent_point);
    bring_firsts(thread, step, *line, address, here, context);
    for_each_key(here, key_of, [&](AccessKey key, u64 same) {
      const Repeated made = rt().repeats.get(key);
      const u64 bytes = bytes_of_words(same >> first_word) & line->single;
      if (!bytes) return;
      Rules::advance(line->location, single_of(thread, made.first, thread.context->lockset, bytes, bound_to),
                     context);
      if (made.write && made.write != made.first)
        Rules::advance(line->location,
                       single_of(thread, made.write, thread.context->lockset, bytes, bound_to), context);
    });
    note_location(page, base, line->location);
  }
}

// The pairs of what has been checked. REQUIRES: the block is held.
void note_pairs(ThreadState& thread, Block& block, uptr base, const AccessSets::Keys& keys) {
  Page& page = page_of(block, base);
  AnnotatedPage* annotations = page.annotations.load(std::memory_order_acquire);
  if (!annotations) return;
  auto& place = annotations->pairs[(base & (kPageSize - 1)) >> kBlockShift];
  BlockPairs* pairs = place.load(std::memory_order_relaxed);
  if (!pairs) place.store(pairs = memory::make<BlockPairs>(), std::memory_order_release);
  pairs->forget_before(rt().order.quiescent_points());
  const AccessKey first = keys.again_of_word[__builtin_ctzll(keys.repeated.again)];
  const u64 same = words_equal(keys.again_of_word, first) & keys.repeated.again;
  StrandContext context(thread, base);
  pairs->add({keys.repeated.again, keys.repeated.rewritten, thread.strand, thread.context->lockset,
              thread.context->claims, same == keys.repeated.again ? first : 0,
              const_cast<AccessKey*>(keys.again_of_word)},
             context);
}

// Each word was touched once, from one place (BlockSet::kOnce): has the step touched one of them before?
bool touched_before(ThreadState& thread, const BlockSet& set, uptr base, u32 logged) {
  if (!logged) return false;
  StepLog& log = thread.context->step->log;
  return ((log.touched(base, logged) | log.known(base)) & set.pending) != 0;
}

// What was touched is written down, in case that a later strand of the step touches it again.
void note_touches(ThreadState& thread, const BlockSet& set, uptr base) {
  if (thread.step_ends) return;
  Step& step = step_of(*thread.context);
  const bool write = set.write_site != 0;
  const AccessKey key = (write ? set.write_site : set.read_site) << 1 | u32{write};
  step.log.add({base, set.pending, write ? set.pending : 0, 0, key, thread.context->lockset,
                step.moments.now(), claimed_by(thread.number, thread.what)});
}

// The same for words that were touched in several ways. The step has touched those of `before` earlier: they may end a
// pair.
void note_touches(ThreadState& thread, const BlockSet& set, uptr base, const AccessSets::Keys& keys,
                  u64 before) {
  const u64 annotated = set.pending & keys.repeated.annotated;
  if (!annotated) return;
  Step& step = step_of(*thread.context);
  Touch touch{
      base, 0, 0, 0, 0, thread.context->lockset, step.moments.now(), claimed_by(thread.number, thread.what)};
  u64 left = annotated;
  auto key_of = [&](u32 word) { return keys.key(word); };
  if (!before && thread.step_ends) return;
  if (before) {
    meet_earlier(thread, step, *set.shadow, base, before, key_of);
    touch.words = touch.brought = before;
    touch.written = before & keys.repeated.written;
    step.log.add_if_new(touch);
    touch.brought = 0;
    left &= ~before;
  }
  if (const u64 known = step.log.known(base) & left) {
    // In the same section as the existing ones: only a first write is new.
    for_each_key(known & keys.repeated.written, key_of, [&](AccessKey key, u64 words) {
      touch.key = key;
      touch.words = touch.written = words;
      step.log.add_if_new(touch);
    });
    left &= ~known;
  }
  while (left) {
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    touch.key = keys.key(word);
    touch.words = left & keys.same_as(word);
    touch.written = touch.words & keys.repeated.written;
    step.log.add(touch);
    left &= ~touch.words;
  }
}

}  // namespace

void flush(ThreadState& thread, BlockSet& set, u32 logged) {
  const uptr base = block_base(set);
  if (set.repeats == BlockSet::kOnce && !touched_before(thread, set, base, logged)) {
    const u64 writes = set.write_site ? set.pending : 0;
    if (writes || thread.context->lockset || !changes_nothing(thread, set)) {
      HeldBlock guard(*set.shadow);
      check_and_regroup(thread, set, writes);
    }
    note_touches(thread, set, base);
    return nothing_pending(set);
  }
  AccessSets::Keys& keys = spell_out_repeats(thread, set);
  const u64 touched_before = logged ? continue_earlier(thread, set, base, logged) : 0;
  const u64 writes = set.pending & keys.repeated.written;
  set.keys = keys.of_word;
  if (writes || keys.repeated.again || thread.context->lockset || !changes_nothing(thread, set)) {
    HeldBlock guard(*set.shadow);
    thread.checked = &keys;
    check_and_regroup(thread, set, writes);
    thread.checked = nullptr;
    if (keys.repeated.again) note_pairs(thread, *set.shadow, base, keys);
  }
  note_touches(thread, set, base, keys, touched_before);
  nothing_pending(set);
}

}  // namespace heddle::annotated
