// Whose code is at a program counter? Headers of a library are compiled into the user's objects: their accesses are
// not the user's. The wrapper works it out from the debug information when it links (src/wrapper/code_table.hpp) and
// leaves a table in a section of the binary; the runtime reads it (src/runtime/state/code_classes.hpp).
#pragma once

#include "base/types.hpp"

namespace heddle {

enum class CodeClass : u8 {
  kNeutral,      // of the standard library and the like: as its caller
  kProgram,      // the user's, or nothing is known
  kScheduler,    // how tasks are made and ended: a frontend knows what it means
  kTree,         // the same for loops and reductions, whose tasks form a tree
  kWait,         // counts the tasks of a wait
  kReserve,      // the same, for tasks to come
  kNotice,       // notifies tools of events that a frontend sees anyway
  kMutex,        // of the library: the lock is its caller's
  kReadLock,     // the same, for readers
  kUpgrade,      // a reader becomes the writer
  kDowngrade,    // the writer becomes a reader
  kContainer,    // works on shared data of its own, under synchronisation of its own
  kPerThread,    // the same, with one element a thread
  kBodyChoice,   // of a reduction: whether a right half reuses the left half's body
  kScopedLock,   // of a mutex: for a writer or for readers
  kPut,          // as kContainer: many puts are passed on together
  kTryLock,      // of a mutex: does not wait, unless its caller does
  kTryReadLock,  // the same, for readers
  kLast = kTryReadLock,
};

// `here` is the innermost function, inlined ones included, that is not neutral; `caller` the first around it, or it
// itself, that is neither neutral nor one of those that only help (kWait, kMutex and its relatives). kNeutral: ask
// the function's caller.
struct CodeClasses {
  CodeClass here = CodeClass::kProgram;
  CodeClass caller = CodeClass::kProgram;
  bool operator==(const CodeClasses&) const = default;
};

// The table: a header, then stretches by address, each up to the next one.
struct CodeTableHeader {
  static constexpr u64 kMagic = 0x32656c6464656863;
  static constexpr const char* kSection = ".heddle.code";
  u64 magic = kMagic;
  u64 count = 0;
};
struct CodeStretch {
  u32 begin = 0;  // as the file numbers addresses
  CodeClasses classes;
  u16 unused = 0;
};
static_assert(sizeof(CodeStretch) == 8);

}  // namespace heddle
