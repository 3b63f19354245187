// Worksharing constructs. All members of a team encounter the same constructs in the same order, so a number
// identifies a construct. The first member to arrive creates the shared state, the last to leave destroys it.
#pragma once

#include "control/openmp/tool.hpp"

namespace heddle::gomp {

// A loop over `count` iterations, which are the program's values start, start + step, ... end.
struct LoopRequest {
  Schedule schedule = Schedule::kStatic;
  u64 chunk = 0;
  u64 start = 0, end = 0, step = 1;
  u64 count = 0;
  bool ordered = false;
  bool sections = false;
  u32 dimensions = 0;  // of a doacross loop
  uptr* reductions = nullptr;
  void** memory = nullptr;  // in: the number of bytes the members want to share; out: their address
  const void* pc = nullptr;
};

struct Workshare {
  u64 number = 0;
  u32 left = 0;  // members that have left
  bool begun = false;
  bool cancelled = false;
  bool single_taken = false;
  LoopRequest loop;
  u64 next = 0;    // the first iteration not handed out
  u64 chunks = 0;  // handed out
  // Ordered: chunks before this one are complete; the complete ones beyond it.
  u64 turn = 0;
  HashMap<u8> over;
  HashMap<u8> posted;  // doacross: iterations whose source was reached
  void* memory = nullptr;
  usize memory_size = 0;
};

struct Chunk {
  u64 begin, end;  // the program's values
};

Workshare& enter_share(Thread& thread);
void leave_share(Thread& thread);
void destroy_share(Workshare* share);
// The object of its choices: the construct, not its address. In another order the next construct may have this
// address.
const void* name_of(const Team& team, const Workshare& share);

// The current member begins the loop, gets chunks of it until there are no more, and leaves.
void begin_loop(Thread& thread, const LoopRequest& request);
bool next_chunk(Thread& thread, Chunk& chunk);
void end_loop(Thread& thread);
// The end of the whole construct, with or without its barrier. True: the region was cancelled.
bool end_at_barrier(Thread& thread, bool cancellable, const void* pc);
void end_nowait(Thread& thread);

}  // namespace heddle::gomp
