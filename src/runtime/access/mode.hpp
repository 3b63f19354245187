// The modes in which accesses are treated (state/access_mode.hpp):
//
//   races       what a strand touches becomes pending, and is checked for races when the strand ends
//   annotated   the same, but accesses to annotated data, repetitions too, go to runtime/annotated
//   recorded    each access becomes a record of the history
//   steered     one of these, and before it the thread may stop where the tool wants it to (controlled/places.hpp)
#pragma once

namespace heddle {

// Chooses the mode for the first time. REQUIRES: the runtime knows its options.
void start_modes();

}  // namespace heddle
