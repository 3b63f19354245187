// What the files of this folder tell each other.
#pragma once

#include "control/strategy.hpp"

namespace heddle::control {

// Whoever polls may find something new.
void something_changed();

// --- looks.cpp, where executions are explored ---

// Has anything changed of what it has looked at?
bool finds_news(const Actor& actor);
void forget_looks(Actor& actor);
// It has changed something that others can see.
void change_something(Actor& actor);
// It has slept, yielded, or run out of time.
void note_pause(Actor& actor);
void note_acquisition(HeldLock& held);
// The lock is given back.
void note_section(Actor& actor, const HeldLock& held);

// --- time.cpp, where executions are explored ---

void pass_time(Actor& actor, u64 until);
// By what is done at the start of a step; by an object.
void exchange_time(Actor& actor, const Pending& pending);
void hear_time(Actor& actor, uptr object);
void tell_time(const Actor& actor, uptr object);

// The one that the actor waits for, if there is exactly one that can help; who holds a lock for reading may not be
// alone.
const Actor* awaited_by(const Actor& actor);

}  // namespace heddle::control
