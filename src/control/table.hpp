// The core for a library that is loaded beside the program (libheddle_omp.so): the executable exports one function,
// which returns this table.
#pragma once

#include "control/control.hpp"

namespace heddle::control {

struct Table {
  static constexpr u32 kVersion = 5;
  u32 version;
  bool (*on)();
  bool (*active)();
  bool (*explores)();
  Outcome (*choose)(const Pending& pending);
  void (*cut)();
  void (*yield)(const char* what, uptr pc);
  void (*looked)(uptr pc);
  void (*changed)(uptr pc);
  u64 (*now)();
  Actor* (*create)(const char* what);
  void (*begin)(Actor* actor);
  void (*end)();
  void (*withdraw)(Actor* actor);
  Actor* (*current)();
  bool (*ended)(const Actor* actor);
  u32 (*number)(const Actor* actor);
  Outcome (*acquire)(uptr lock, bool write, u64 deadline, uptr pc);
  bool (*try_acquire)(uptr lock, bool write, uptr pc);
  void (*release)(uptr lock);
  bool (*available)(uptr lock, bool write, const Actor* actor);
  u32 (*times_held)(uptr lock);
  void (*gained)(uptr lock, bool write);
  void (*forget)(uptr lock);
  void (*leave_baton)();
  void (*take_baton)();
  // What the user asked for with --threads; 0: nothing.
  u32 (*threads)();
  void (*prepare)();
  bool (*follows_names)();
  void (*start_when_chosen)(Actor* actor, void (*start)(void* data), void* data);
  void (*assume)(Assumption assumption);
  // What comes next has orders that an exploration would not see; does nothing otherwise.
  void (*give_up_exploring)(const char* why);
};

// Where the program called the library, if that goes through an entry point of ours: what the library calls its caller
// is us then. 0: it does not.
extern __thread uptr t_asks_at __attribute__((tls_model("initial-exec")));

// To the tool, turns of a thread that runs one task at a time are a mutex of a kind that OMPT does not have.
constexpr int kTurnMutex = 64;

}  // namespace heddle::control

extern "C" const heddle::control::Table* __heddle_control();
