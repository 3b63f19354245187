// ZipperOTF (chapter 3 of the thesis on on-the-fly computation graphs with sync maps): nodes with access sets, a sync
// map for each task that says from which node on another task is concurrent with it, and a check of the finished node
// at each synchronisation.
//
// The sync map S(t)(t') = "the earliest node of t' concurrent with t" is one more than "the last node of t' known to
// t", so S is kept as clocks (engine/happens_before.hpp), a row for each chain of tasks. That closes the holes of the
// printed rules: a child inherits its parent's row and everybody's row has a place for the child; a joined task is
// known altogether, which is a value and not an absent entry; an acquisition takes the row as it was at the release;
// `last` is per lock.
//
// Access sets lie across the nodes: each 64 bytes of memory have the list of (node, kind, site, mask of bytes) that
// touched them, and a node has the list of the blocks it touched.
//
//   Example: a forks b; a writes x[0..7] one by one, b reads x[3]. The block of x has two entries, (a.1, write, 0xff)
//   and (b.1, read, 0x08). When a's node ends, one intersection finds the race.
//
// A node ends where its task tells others (fork, signal, release) or learns something new (join, await, acquire). Then,
// for each block that it touched, each other entry
//   - of a node before it loses the bytes that this node covers as strongly: who races with them later races with
//     this node, too;
//   - of a concurrent node is intersected. Bytes that have raced are not looked at again.
// So an entry lives until something later covers it: memory follows addresses and concurrent tasks, not events.
// Blocks that nobody writes are passed without looking at their entries. What lies before a moment at which one task
// was alone (all others joined into it) comes before all that follows: such entries are dropped when they are met,
// and while a task is alone nothing is noted.
//
// With correct sync maps the verdict needs no greedy-scheduled history: of two concurrent nodes the one that ends
// later sees the other. Greedy order (zipper/greedy.hpp) makes nodes of one task adjacent; it is there as in the
// thesis, as an option.
//
// Finds one race at each location that has one in happens-before.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_zipper(const Options& options);

}  // namespace heddle::engine
