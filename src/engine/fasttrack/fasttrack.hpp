// FastTrack (Flanagan & Freund 2009): the last write of a location as an epoch, its reads as an epoch or, if
// concurrent, as a vector; comparing one number decides most accesses.
//
// Here, an epoch names a chain of tasks (engine/happens_before.hpp), so that tasks which one thread ran one after the
// other stay concurrent; with `on_threads` it names an operating-system thread, as in the paper. Locations are as
// wide as the accesses: 8, 4 or 1 bytes in each block of 64. Some accesses do not race among themselves: atomic ones,
// and those bound to one thread. Each such class has its own states, in which writes may be concurrent, too.
//
//   rule                    when                                          work
//   same epoch              this epoch has read or written it             one comparison
//   exclusive               the last access is known                      one clock entry
//   share                   a second concurrent reader                    the epoch becomes a vector
//   write shared            a write after concurrent reads                all entries; the vector is freed
//
// Finds the first race of each location and some later ones: after a race the later access replaces the earlier.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_fasttrack(const Options& options);

}  // namespace heddle::engine
