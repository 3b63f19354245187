// What is meant to be atomic in a driven program: a part of its memory that depends on nothing but the addresses.
#pragma once

#include "engine/atomicity/atomic_data.hpp"
#include "event/event.hpp"

namespace heddle::oracle {

// Of what the history touches. Every second page is annotated as a whole, block by block. Of the others, 32 of each 128
// bytes, and 5 that are parts of words.
engine::AtomicRanges annotated_in(const event::History& history);

}  // namespace heddle::oracle
