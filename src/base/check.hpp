// Assertions that stay on in release: a detector that is wrong about itself must stop, not guess.
#pragma once

namespace heddle {

// Prints the message on stderr without allocating and aborts.
[[noreturn]] void check_failed(const char* file, int line, const char* what);

// Called before the process dies for a reason of our own; the runtime sets it to close the raw log in an orderly way.
extern void (*on_fatal)(const char* message);

// A limit of the machine was hit (memory). Says so, calls on_fatal, ends the process with exit code 70 (EX_SOFTWARE).
[[noreturn]] void fatal(const char* message);

#define HEDDLE_CHECK(x) ((x) ? (void)0 : ::heddle::check_failed(__FILE__, __LINE__, #x))

}  // namespace heddle
