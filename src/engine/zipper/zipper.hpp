// ZipperOTF (chapter 3 of the thesis on on-the-fly computation graphs with sync maps): nodes with access sets, a sync
// map per task with the first concurrent node of every other task, and a check of the finished node at each
// synchronisation.
//
// The sync map S(t)(t') = "the earliest node of t' concurrent with t" is one more than "the last node of t' known to
// t", so S is kept as vector clocks (engine/happens_before.hpp), a row for each chain of tasks. That closes the gaps
// of the printed rules: a child inherits its parent's row and every row has an entry for the child; a joined task is
// known completely, which is a value and not a missing entry; an acquisition takes the row of the release; `last` is
// per lock.
//
// Access sets are stored across the nodes: each 64 bytes of memory have the list of (node, kind, site, mask of bytes)
// that touched them, and a node has the list of the blocks it touched.
//
//   Example: a forks b; a writes x[0..7] one by one, b reads x[3]. The block of x has two entries, (a.1, write, 0xff)
//   and (b.1, read, 0x08). When a's node ends, one intersection finds the race.
//
// A node ends at each release operation of its task (fork, signal, release), and at each acquire operation that grows
// its clock (join, await, acquire). Then, for each block that it touched, each other entry
//   - of a node that happens before it loses the bytes that this node covers as strongly: every later access that
//     races with them races with this node, too;
//   - of a concurrent node is intersected. Bytes that have raced are not checked again. So an entry lives until a
//     later one covers it: memory is proportional to addresses and concurrent tasks, not to events. The entries of
//     blocks without writes are skipped. Entries from before a quiescent point (one task, all others joined into it)
//     happen before everything later: they are dropped when they are found, and in a quiescent phase nothing is
//     noted.
//
// With correct sync maps the verdict needs no greedy-scheduled history: of two concurrent nodes the one that ends
// later sees the other. Greedy order (zipper/greedy.hpp) makes nodes of one task adjacent; it is an option, as in the
// thesis.
//
// Finds one race at each location that has one in happens-before.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_zipper(const Options& options);

}  // namespace heddle::engine
