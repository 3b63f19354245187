// Annotated data: data that is meant to be atomic (docs/atomicity.md), in the running program.
//
// The rules are those of checker/atomicity/pairs.hpp. Here, singles are the accesses that the race checker keeps in the
// shadow anyway; beside the shadow are only pairs and firsts, for 64 bytes at a time, where data is annotated or a
// region accessed it.
//
// A pair's end may be a repeated access of its strand, which the access sets would filter out. So in blocks (256 bytes)
// with annotated data an access is marked only when it is settled: when a repetition could not change anything any
// more.
//
//   same section     accesses of a strand to whole words, with no lock acquired or released in between, are pending,
//                    like any first access, and so are repetitions (repeated_touches.hpp). They are checked with
//                    their block when the strand ends (same_section.hpp), and their pairs are stored beside the block
//                    (block_pairs.hpp)
//   across strands   the accesses of a step go to its log when the strand ends (step_log.hpp). Only if a later strand
//                    of the step accesses the memory again, firsts are stored beside the shadow (firsts.hpp)
//   one by one       bytes, atomic operations, groups, and everything inside a region (one_by_one.hpp)
//
// An access of another task that can come between the two of a pair is a violation (intruders.hpp).
//
// A program that annotates nothing pays for a flag on the slow path of an access.
#pragma once

namespace heddle::annotated {

// When the program begins: what its code and the tool say (HEDDLE_ATOMIC_PLACES, in the environment).
void prepare();

}  // namespace heddle::annotated
