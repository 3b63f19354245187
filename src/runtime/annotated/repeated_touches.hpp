// Accesses of one critical section to blocks with annotated data: pending as first touches are, repetitions too.
#pragma once

#include "runtime/annotated/steps.hpp"

namespace heddle {

// Words of such a block become pending, or are touched again. False: one of them must be checked when it is touched.
// REQUIRES: prepare_repeats() since something of the set was last checked.
bool touch_annotated(ThreadState& thread, BlockSet& set, u64 words, bool write, uptr pc);
// REQUIRES: something of it is about to become pending.
void prepare_repeats(ThreadState& thread, BlockSet& set, u64 annotated, u64 closely);

// The accesses to each pending word, one by one.
AccessSets::Keys& spell_out_repeats(ThreadState& thread, BlockSet& set);

// The step's earlier and current accesses to pending words are in the same section if no lock was acquired or released.
// `earlier` are the entries of the step's log that count. Returns the words that the step has touched in other ways,
// too.
u64 continue_earlier(ThreadState& thread, const BlockSet& set, uptr base, u32 earlier);

}  // namespace heddle
