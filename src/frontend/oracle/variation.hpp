// What must not matter to the verdict about a random program, chosen at random: where its memory lies, how wide and how
// aligned its accesses are, by which hooks and from which call sites they come, how often they are repeated, which
// threads run its tasks, by what its signals travel.
//
// All of it is written into the history, so that a disagreement can be shrunk and kept as a test.
#pragma once

#include "event/event.hpp"
#include "event/random/rng.hpp"

namespace heddle::oracle {

// By which hooks an access is made.
enum class Form : u8 {
  kUsual,      // that of its width, or a range
  kUnaligned,  // a hook for unaligned accesses, where there is one
  kVolatile,
  kCompound,  // of a write: the read and the write of `x += 1`, or of a range
  kRange,
  kLoop,      // what a counted loop does, by words or by bytes
  kBackward,  // the same, downwards
  kRows       // what a nest of loops does: two rows
};
constexpr u32 kForms = 8;

// Access::site says it: the call that the access is made in, and its form.
constexpr u32 kCalls = 64;
constexpr u32 site(u32 call, Form form) { return call | static_cast<u32>(form) << 6; }
constexpr u32 call_of(u32 site) { return site % kCalls; }
constexpr Form form_of(u32 site) { return static_cast<Form>(site / kCalls % kForms); }

// Signal::object says by what: numbers from kObjects on are atomic variables, those from 2 * kObjects on are looked at
// before they are awaited.
constexpr u32 kObjects = 16;

// Of a task that a thread was spawned for; those of other tasks are below.
constexpr u32 kOwnThreads = 16;

event::History vary(event::History history, event::Rng& rng);
// The same with little memory and few repetitions, for oracles that look at each byte of three accesses.
event::History vary_a_little(event::History history, event::Rng& rng);

}  // namespace heddle::oracle
