// Atomicity violations of every schedule of this input, from one history (after Yoga & Nagarakatte 2016; docs/atomicity.md has the proof).
//
// Steps are atomic: what a task does between two constructs that make or await tasks. A step's two accesses to a location are broken by
// an access of a parallel step that conflicts with both, and that the locks let in between (gaps.hpp).
//
// For a location there are remembered
//
//   singles    who could intrude: reads and writes, with the locks held
//   pairs      who could be broken: by a write (any two accesses of a step), or by a read, too (two writes)
//   firsts     of the steps that are under way: the first access, and the first write
//
// The paper has four kinds of pairs. Two are enough, and only the widest of each step: a longer gap lets in whatever a shorter one does. A
// later entry replaces an earlier one that comes before it and is not stronger: who is parallel to the earlier one and
// still to come is parallel to the later one, too. So what is remembered grows with the width of the program at the location and with the
// number of its locksets, not with the number of accesses.
//
// The paper's rules keep one pair of a kind, check only the first access of a step against pairs, and know nothing of an
// intruder's locks: each of these loses violations.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_atomicity(const Options& options);

}  // namespace heddle::engine
