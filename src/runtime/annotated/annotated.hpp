// Annotated data: what is meant to be atomic (docs/atomicity.md), while the program runs.
//
// The rules are those of checker/atomicity/pairs.hpp. Here, singles are what the race checker remembers in the shadow
// anyway; beside the shadow lie only pairs and firsts, for 64 bytes at a time, where something is annotated or a region
// touched it.
//
// A pair's end may be an access that its strand has made before, which the access sets would not let through. So in
// blocks (256 bytes) with annotated data nothing is marked as touched until it is settled: until a repetition could not
// change anything any more.
//
//   in one go        what a strand does to whole words is pending, like any first touch, and so are repetitions
//                    (repeated_touches.hpp). It is checked with its block when the strand ends (in_one_go.hpp), and its
//                    pairs lie beside the block (block_pairs.hpp)
//   across strands   what a step touched goes to its log when the strand ends (step_log.hpp). Only if a later strand of
//                    the step touches it again, firsts come to lie beside the shadow (firsts.hpp)
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
