// Calls of the compiler's hooks, as instrumented code makes them.
#pragma once

#include "event/event.hpp"

namespace heddle::oracle {

// A function of the program, one of kCalls, is entered, and left.
void enter_function(u32 call);
void leave_function();
// Which of them was called there: a program counter of a call stack.
u32 call_of_function(uptr pc);

// By the hooks that its size and its site (variation.hpp) ask for.
void access(uptr address, const event::Access& access);

// Do they tell that the bytes are read, beside the write?
bool reads_too(const event::Access& access);

// These bytes are meant to be atomic, each by itself.
void say_atomic(uptr address, usize size);

// An atomic variable of the program is stored to (`replaces` what it carried) or added to, or loaded.
void release_atomically(uptr address, bool replaces);
void acquire_atomically(uptr address);

}  // namespace heddle::oracle
