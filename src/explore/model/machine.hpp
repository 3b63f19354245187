// Runs programs of the model: one instruction at a time, or one step at a time as execution.hpp cuts them.
#pragma once

#include "explore/execution.hpp"
#include "explore/model/program.hpp"

namespace heddle::explore::model {

inline constexpr u64 kVariables = 0x1000, kLocks = 0x100, kSemaphores = 0x200;

// What an actor has read since it last changed anything.
struct Seen {
  u32 at = 0;               // the instruction
  Kind kind = Kind::kRead;  // kLock: a section that only read
  u32 index = 0;            // of the variable, lock, semaphore
  int value = 0;
  bool write = true;       // of a lock: the mode
  std::vector<Held> held;  // during a plain read
};

struct Actor {
  u32 body = 0, at = 0;
  int value = 0;  // the register
  ActorNumber number = 0;
  std::vector<Held> held;
  std::vector<u32> acquired_at;  // instructions, as in `held`; kChanged: it has changed something since
  static constexpr u32 kChanged = ~u32{0};
  std::vector<Seen> seen;
  std::vector<u32> children;  // indices into State::actors
  bool started = false;
  u32 spawned_by = ~u32{0}, last_step = ~u32{0};  // steps
};

// A value: copy it to branch.
struct State {
  std::vector<Actor> actors;
  std::vector<int> variables = std::vector<int>(8, 0), semaphores = std::vector<int>(4, 0);
};

// Additional cuts.
struct Cuts {
  bool after_acquisitions = false;
  bool at_accesses = false;   // each is a choice
  bool polls_freely = false;  // a failed poll may be retried at once
};

class Machine {
 public:
  Machine(const Program& program, ActorNames& names, Cuts cuts)
      : program_(program), names_(names), cuts_(cuts) {}

  State start() const;
  // The instruction an actor is at; null: it has ended.
  const Instruction* next(const State& state, u32 actor) const;
  bool enabled(const State& state, u32 actor) const;
  // Is it disabled only because its poll failed?
  bool polls(const State& state, u32 actor) const;
  // REQUIRES: enabled. Executes one instruction, and notes it in `step` if that is not null.
  void execute(State& state, u32 actor, Step* step, u32 step_number) const;
  // REQUIRES: enabled.
  Step make_step(State& state, u32 actor, u32 step_number) const;
  // The step that the actor would begin.
  Step begin_step(const State& state, u32 actor) const;

 private:
  bool ready(const State& state, u32 actor) const;
  bool repeats(const State& state, u32 actor) const;
  bool finds_news(const State& state, u32 actor) const;
  void skip_jumps(Actor& actor) const;
  bool begins_step(Kind kind) const;
  bool ends_step(Kind kind) const;
  const Program& program_;
  ActorNames& names_;
  const Cuts cuts_;
};

// Executes a program of the model for the explorer.
class ModelExecutor : public Executor {
 public:
  explicit ModelExecutor(Program program, bool cut_at_accesses = false)
      : program_(std::move(program)), cut_at_accesses_(cut_at_accesses) {}
  Execution run(const Prefix& prefix, Guide& guide) override;
  u64 runs() const { return runs_; }

 private:
  Program program_;
  const bool cut_at_accesses_;
  u64 runs_ = 0;
};

}  // namespace heddle::explore::model
