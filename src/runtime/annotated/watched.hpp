// Watched memory: what is meant to be atomic (docs/atomicity.md), while the program runs.
//
// The rules are those of checker/atomicity/pairs.hpp. Here, singles are what the race checker remembers in the shadow anyway; beside the
// shadow lie only pairs and firsts, for 64 bytes at a time, where somebody said that they are meant or a region touched them.
//
// A pair's end may be an access that its strand has made before, which the access sets would not let through. So in blocks (256 bytes)
// with annotated data nothing is marked as touched until it is settled: until a repetition could not change anything any more.
//
//   in one go        what a strand does to whole words is pending, like any first touch, and so are repetitions (repeated_touches.hpp). It is
//                    judged with its block when the strand ends, and its pairs lie beside the block (block_pairs.hpp)
//   across strands   what a step touched is written down when its strand ends (step_log.hpp). Only if a later strand of the step touches
//                    it again do the firsts come to lie beside the shadow, and pairs whose gap has a moment without locks
//   one by one       bytes, atomic operations, groups, and everything inside a region
//
// A program that annotates nothing pays for a flag on the slow path of an access.
#pragma once

#include "runtime/annotated/steps.hpp"
#include "runtime/runtime.hpp"

namespace heddle::watched {

// Something is annotated, or every critical section is a region: whoever is on a slow path asks.
extern bool g_any;
// Something was said to be meant, whether or not it still is; or a region was opened.
extern std::atomic<bool> g_anything_meant;
// How often a block became watched: what was marked as touched before may hide an access to it.
extern std::atomic<u32> g_version;

// How often something was annotated, or no longer. Never 0.
extern std::atomic<u32> g_changes;

// The bytes are meant to be atomic, each by itself, or as part of a group (new_group(); 0: of none).
void annotate(uptr address, usize size, u32 group);
u32 new_group();
// They are not, or no longer: they were freed, or are new.
void forget(Page& page, uptr begin, uptr end);
void forget(uptr address, usize size);

// Nothing else matters: neither races are looked for, nor regions.
inline bool only_what_is_annotated() { return !rt().options.check_races && !g_regions; }

// Takes an access inside one block, if it must: to a watched block, or in a region. False: it is like any other.
bool take(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc);

// The access is new to these granules: does it come between the accesses of a pair? REQUIRES: the block is held.
void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);

// What the strand did to a block with annotated data in one go has been judged: its pairs. REQUIRES: the block is held.
void note_pairs(ThreadState& thread, Block& block, uptr base, const AccessSets::Keys& keys);
// And what it touched is written down, in case that a later strand of the step touches it again. Of `before` that is so: does it end a pair?
void note_touches(ThreadState& thread, const BlockSet& set, uptr base, const AccessSets::Keys& keys,
                  u64 before);

// The same where each word was touched once, from one place (BlockSet::kOnce): unless the step has touched one of them before.
bool touched_before(ThreadState& thread, const BlockSet& set, uptr base, u32 logged);
void note_touches(ThreadState& thread, const BlockSet& set, uptr base);

// The two race: does one come between two accesses of which the other is one? REQUIRES: the block is held.
void race_with_pairs(ThreadState& thread, uptr block, u32 granules, const race::Access& earlier,
                     const race::Access& now, race::Evidence evidence);

// Before the current task acquires what an atomic variable carries, and afterwards. Who wrote to annotated data
// there, and is known only then, might as well have come between two accesses of the step: what orders the two is the
// variable itself.
void about_to_learn(ThreadState& thread, uptr address, u32 size);
void has_learned(ThreadState& thread);

// When the program begins: what its code and the tool say (HEDDLE_ATOMIC, in the environment).
void prepare();

}  // namespace heddle::watched
