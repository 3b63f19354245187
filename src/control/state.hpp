// The interface between the files of this folder.
#pragma once

#include "control/strategy.hpp"

namespace heddle::control {

// A poll may succeed now.
void something_changed();

// --- looks.cpp, where executions are explored ---

// Has anything changed that it has looked at?
bool finds_news(const Actor& actor);
void forget_looks(Actor& actor);
// The actor changed something visible.
void change_something(Actor& actor);
// The actor slept, yielded, or timed out.
void note_pause(Actor& actor);
void note_acquisition(HeldLock& held);
// The lock was released.
void note_section(Actor& actor, const HeldLock& held);

// --- time.cpp, where executions are explored ---

void pass_time(Actor& actor, u64 until);
// By the operation at the start of a step; by an object.
void exchange_time(Actor& actor, const Pending& pending);
void acquire_time(Actor& actor, uptr object);
void release_time(const Actor& actor, uptr object);

// The only actor that can enable this one, if there is exactly one; a lock held for reading may have several holders.
const Actor* awaited_by(const Actor& actor);

}  // namespace heddle::control
