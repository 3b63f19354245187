// Shared memory for a schedule: an unnamed file that the tool and a controlled program have mapped.
//
// The tool writes what is to be executed: names of actors, the actor of each step of a prefix, actors to avoid
// afterwards. The program writes what was executed: more names, a record of each step, how it ended. One board serves
// one execution at a time; the tool clears what was used. When the program cannot decide (all enabled actors are to
// be avoided), it sends a message on the socket of its executions and reads the answer here.
//
// Sparse: only used pages take memory. Not thread-safe: the side that is active owns all fields.
#pragma once

#include "control/steering.hpp"

namespace heddle::control {

struct ActorRecord {
  u32 parent;
  u32 index;  // its position among its parent's children
};

enum StepFlag : u8 { kTakes = 1, kRepeats = 2 };

struct StepRecord {
  u32 actor;
  Op op;
  u8 write;
  Outcome outcome;  // kTimedOut: because no other actor was enabled
  u8 flags;         // bits of StepFlag
  u64 object;
  // Of a wait: the number of the step that ended it, + 1; 0: it did not block. Of a repeated poll: the number of the
  // first poll's step. Of a start: the number of the step that created the actor, + 1.
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
  kRunning,  // or it ended without writing an end
  kDeadlock,
  kLivelock,
  kStopped,   // by the tool
  kDiverged,  // at step `steps`
  kFull,      // more steps or actors than a board has room for
};

struct Board {
  static constexpr u64 kMagic = 0x6472616f62646568;  // "hedboard"
  static constexpr u32 kVersion = 7;
  static constexpr u32 kMostActors = 1 << 16;
  static constexpr u32 kMostSteps = 1 << 22;
  static constexpr u32 kNobody = ~u32{0};

  u64 magic;
  u32 version;
  BoardMode mode;
  u32 split_acquisitions;  // a choice point after each acquisition, too: the program tries locks
  u32 repeat_polls;  // a failed poll may be repeated at once, some times: loops of polls end by themselves
  u32 choose_at_accesses;     // every access is a choice point
  u32 choose_at_permissions;  // so are permission regions

  // From the tool.
  u32 shows_output;  // else the program's output is dropped
  u32 prefix_length;
  u32 avoided;  // how many actors to avoid
  // From both.
  u32 actors;  // number of names
  // From the program.
  u32 process;
  BoardEnd end;
  u32 steps;
  u32 assumptions;   // bits of Assumption
  u32 leaves_polls;  // a loop of polls ended though nothing that it polled had changed
  u32 waiting;       // at a deadlock: number of blocked actors
  u32 enabled;       // number of enabled actors, when it asks
  u32 answer;        // the tool's answer: kNobody ends the execution
  char problem[1024];

  Steering steering;  // if empty: the prefix, then greedily

  ActorRecord names[kMostActors];
  u32 avoid[kMostActors];
  u32 can_go_on[kMostActors];
  StepRecord waits[kMostActors];  // the steps they are blocked in
  u32 prefix[kMostSteps];
  Op expected[kMostSteps];      // in a replay: the operations of these steps
  bool finds_free[kMostSteps];  // of tries of a lock: it is known to be free
  StepRecord trace[kMostSteps];
};

// Messages on the socket: the tool sends kRun and kAnswer, the program's server kEnded (followed by the waitpid
// status), an execution kAsk. kReady is the server's first message: the program has reached its first fork.
enum class Message : u8 { kReady = 'r', kRun = 'x', kEnded = 'e', kAsk = 'a', kAnswer = 'n' };

// Environment: the board's descriptor; for an exploration, `board,socket,channel` of each worker, separated by ';'.
inline constexpr char kBoardDescriptor[] = "HEDDLE_BOARD_FD";
inline constexpr char kWorkers[] = "HEDDLE_EXPLORE_FDS";

}  // namespace heddle::control
