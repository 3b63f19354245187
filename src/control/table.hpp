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
  // The value of --threads; 0: not given.
  u32 (*threads)();
  void (*prepare)();
  bool (*follows_names)();
  void (*start_when_chosen)(Actor* actor, void (*start)(void* data), void* data);
  void (*assume)(Assumption assumption);
  // Ends an exploration: what follows has orders that it would not see; does nothing otherwise.
  void (*give_up_exploring)(const char* why);
};

// The program's call of the library, if it goes through an entry point of ours: the library's caller is then our
// code. 0: it does not.
extern __thread uptr t_asks_at __attribute__((tls_model("initial-exec")));

// For the tool, the turns of a thread that runs one task at a time are a kind of mutex that OMPT lacks.
constexpr int kTurnMutex = 64;

}  // namespace heddle::control

extern "C" const heddle::control::Table* __heddle_control();
