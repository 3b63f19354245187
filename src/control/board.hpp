// The memory through which the tool and a controlled program talk about a schedule: a file without a name that both
// have mapped.
//
// The tool writes what is to be done: names of actors, the actor of each step of a prefix, whom to avoid afterwards.
// The program writes what was done: more names, a record of each step, how it ended. One board serves one execution at
// a time; the tool clears what was used. When the program cannot decide (everyone who could go on is to be avoided) it
// asks, by a message on the socket of its executions, and reads the answer here.
//
// Sparse: only what is used takes memory. Not thread-safe: the side whose turn it is owns all fields.
#pragma once

#include "control/steering.hpp"

namespace heddle::control {

struct ActorRecord {
  u32 parent;
  u32 index;  // which of its parent's children
};

enum StepFlag : u8 { kTakes = 1, kRepeats = 2 };

struct StepRecord {
  u32 actor;
  Op op;
  u8 write;
  Outcome outcome;  // kTimedOut: as nobody else could go on
  u8 flags;         // bits of StepFlag
  u64 object;
  // Of a wait: the number of the step that ended it, + 1; 0: it did not have to wait. Of a repeated look: the number of
  // the step that made the first of the looks. Of a start: of the one that made the actor, + 1.
  u32 enabled_by;
  u32 sites;  // of kAccess: see Pending
};
static_assert(sizeof(StepRecord) == 24);

// How the program uses the board.
enum class BoardMode : u32 {
  kReplay,  // in an ordinary checked run, or steered from a fork server: steps are choices only, cuts do not count
  kExplore,  // again and again, from a fork server, recorded
};

enum class BoardEnd : u32 {
  kRunning,  // or came to its end without a word
  kDeadlock,
  kLivelock,
  kStopped,   // the tool said so
  kDiverged,  // at step `steps`
  kFull,      // more steps or actors than a board has room for
};

struct Board {
  static constexpr u64 kMagic = 0x6472616f62646568;  // "hedboard"
  static constexpr u32 kVersion = 6;
  static constexpr u32 kMostActors = 1 << 16;
  static constexpr u32 kMostSteps = 1 << 22;
  static constexpr u32 kNobody = ~u32{0};

  u64 magic;
  u32 version;
  BoardMode mode;
  u32 split_acquisitions;     // a choice point after each acquisition, too: somebody tries locks
  u32 choose_at_accesses;     // every access is a choice point
  u32 choose_at_permissions;  // so are permission regions

  // From the tool.
  u32 shows_output;  // else what the program prints is dropped
  u32 prefix_length;
  u32 avoided;  // how many
  // From both.
  u32 actors;  // names that are there
  // From the program.
  u32 process;
  BoardEnd end;
  u32 steps;
  u32 assumptions;  // bits of Assumption
  u32 waiting;      // at a deadlock: how many wait
  u32 enabled;      // how many can go on, when it asks
  u32 answer;       // to that, from the tool: kNobody ends the execution
  char problem[1024];

  Steering steering;  // with nothing in it: the prefix, then greedily

  ActorRecord names[kMostActors];
  u32 avoid[kMostActors];
  u32 can_go_on[kMostActors];
  StepRecord waits[kMostActors];  // what they were about to do
  u32 prefix[kMostSteps];
  Op expected[kMostSteps];      // in a replay: what these steps begin with
  bool finds_free[kMostSteps];  // of those that try a lock: it is known to be free then
  StepRecord trace[kMostSteps];
};

// What is sent on the socket: by the tool kRun and kAnswer, by the program's server kEnded (followed by the status of
// waitpid), by an execution kAsk. kReady is the server's first word: the program has come to where its executions part.
enum class Message : u8 { kReady = 'r', kRun = 'x', kEnded = 'e', kAsk = 'a', kAnswer = 'n' };

// Environment: the board's descriptor; for an exploration, `board,socket,channel` of each worker, separated by ';'.
inline constexpr char kBoardDescriptor[] = "HEDDLE_BOARD_FD";
inline constexpr char kWorkers[] = "HEDDLE_EXPLORE_FDS";

}  // namespace heddle::control
