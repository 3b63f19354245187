// What is annotated at all, in this run: asked on every way that annotated data could take.
#pragma once

#include "runtime/state/observer.hpp"
#include "runtime/state/process.hpp"

namespace heddle::annotated {

// Annotated data matters from here on (state/observer.hpp).
void switch_on();
// Gets the accesses then.
extern const Observer* g_table;

// Something was annotated, whether or not it still is; or a region was opened.
extern std::atomic<bool> g_anything_annotated;
// How often a block got its first annotated data: what was marked as touched before may hide an access to it.
extern std::atomic<u32> g_version;
// How often something was annotated, or no longer. Never 0.
extern std::atomic<u32> g_changes;

// Regions may come, of the source or of the command line: then all memory matters, not only what is annotated.
extern bool g_regions;
// Each outermost critical section is a region.
extern bool g_critical_sections;
// What a step does in the critical sections of one lock, released and taken again, is perhaps meant to be indivisible
// (after Park 2012, 4.3). It is not annotated: findings are predicted, and regions of other kinds do not count
// then.
extern bool g_reacquired_locks;

// Nothing else matters: neither races are checked, nor regions.
inline bool only_what_is_annotated() { return !rt().options.check_races && !g_regions; }

}  // namespace heddle::annotated
