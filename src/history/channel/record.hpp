// One record of a history, as the recorded program writes it and a file stores it: always sixteen bytes.
//
// A *stream* has the records of one thread of the program. They name the task only where it changes (kTask), so that
// an access is one record. Every record except accesses and new memory has a *ticket*, from one counter of the whole
// program, drawn at a moment that respects happens-before (a release draws before others can acquire, an acquisition
// after it succeeded). Tickets count from 0 without gaps: streams are merged by them, and at a missing one (a killed
// program) the readable prefix ends.
//
// Records without a ticket come directly after the previous ticketed record of their stream. If that would be too
// early, a kOrder precedes them: a ticket and nothing else. It is needed on both sides of anything that passes from
// one stream to another without an event: a task that continues in another thread, memory that one thread frees
// (kOrder after the last access) and another allocates (kOrder before kNewMemory).
//
// Tasks, teams, threads, locks and objects are numbered densely: readers have tables by number.
#pragma once

#include <type_traits>

#include "base/types.hpp"

namespace heddle::history {

// Those with the name of an event of event/event.hpp are that event; its `task` is the stream's current task.
enum class Op : u8 {
  kNone = 0,
  // Without a ticket.
  kTask,       // a: the task of the following records
  kAccess,     // flags: write, atomic, bound; size; a: site; address
  kNewMemory,  // a: size in bytes; address. Larger ranges are several records
  kDepend,  // flags: DependKind; address. Follows its Spawn or WaitDepend; `size` there says how many there are
  kSite,    // a: the site; b: the site that called it (0: none). A kSitePc with the pc as its address follows
  kSitePc,  // address
  // With a ticket.
  kSpawn,  // a: child; flags: SpawnKind; size: number of depends
  kBegin,  // a: thread
  kEnd,
  kJoinThread,  // a: child
  kWaitChildren,
  kWaitDepend,  // size: number of depends
  kGroupOpen,
  kGroupClose,
  kFork,           // a: team
  kTeamBegin,      // a: team; b: thread
  kWorkBegin,      // a: team; b: thread
  kBarrierArrive,  // a: team
  kBarrierLeave,   // a: team
  kJoin,           // a: team
  kSignal,         // a: object; flags: replace
  kAwait,          // a: object
  kAcquire,        // a: lock; b: site, or lock_digest(); flags: write, tries
  kRelease,        // a: lock; flags: write
  kBind,
  kOrder,         // no event; a: not 0 where a step of a controlled execution begins, its number + 1
  kDetachThread,  // a: child
  kLast = kDetachThread,
};

constexpr bool has_ticket(Op op) { return op >= Op::kSpawn; }

// In an exploration, the record of an acquisition names its lock by this in place of a call site. Equal in all
// executions, and for the tool, which knows the address from the choice to acquire it.
constexpr u32 lock_digest(u64 address) {
  const u64 mixed = (address ^ address >> 29) * 0x9e3779b97f4a7c15ull;
  return static_cast<u32>(mixed >> 32) | 1;
}

enum Flags : u8 { kWriteFlag = 1, kAtomicFlag = 2, kBoundFlag = 4, kReplaceFlag = 1, kTriesFlag = 2 };

struct Record {
  Op op = Op::kNone;
  u8 flags = 0;
  u16 size = 0;
  u32 a = 0;
  union {
    u64 address = 0;
    struct {
      u32 b;
      u32 ticket;  // the low half: tickets grow within a stream
    };
  };
};
static_assert(sizeof(Record) == 16 && std::is_trivially_copyable_v<Record>);

}  // namespace heddle::history
