// Shared memory through which a recorded program passes its records to the tool: an unnamed file that both have
// mapped.
//
// It consists of blocks. A thread of the program owns one at a time and fills it; the tool takes a full one, stores
// its records, clears it and frees it. A record is valid as soon as its first word is written (Op is not kNone): the
// second word is written before it. So however the program ends, no record is lost: the tool takes the unfinished
// blocks as well.
//
// Invariants: a block whose bit in `free` is set is cleared, and has no owner. `sequence` counts the blocks of a
// stream from 0, without gaps. Thread safety: fields are atomic or belong to the block's owner; `state` transfers a
// block.
#pragma once

#include <atomic>

#include "history/channel/record.hpp"

namespace heddle::history {

inline constexpr u32 kBlockBytes =
    64 * 1024;  // some microseconds of recording: the transfer costs nothing beside it
inline constexpr u32 kBlockRecords = kBlockBytes / sizeof(Record);
// A thread keeps its block while it waits, so there must be more blocks than threads. Only touched pages take memory.
inline constexpr u32 kBlocks = 16384;
// Blocks that may wait for the tool; beyond that the program waits: 16 MiB.
inline constexpr u32 kMostWaiting = 256;

enum class BlockState : u32 { kFree, kFilling, kFull };

struct alignas(64) Block {
  std::atomic<BlockState> state;
  u32 stream;
  u32 sequence;
};

struct Channel {
  static constexpr u64 kMagic = 0x6c656e6e61686368;  // "hchannel"
  static constexpr u32 kVersion = 1;

  u64 magic;
  u32 version;
  u32 tool;                  // process
  std::atomic<u32> program;  // the process that records; 0: none yet
  std::atomic<u32> others;   // processes that came later
  std::atomic<u32> closed;   // no more records are taken: see Closed
  std::atomic<u32> used;     // blocks from this one on were never used
  std::atomic<u32> beat;     // changes while the tool lives
  alignas(64) std::atomic<u64> tickets;
  alignas(64) std::atomic<u32> handed_over;  // blocks, by the program; the tool waits here when `tool_waits`
  std::atomic<u32> tool_waits;
  alignas(
      64) std::atomic<u32> given_back;  // blocks, by the tool; the program waits here when `program_waits`
  std::atomic<u32> program_waits;
  alignas(64) std::atomic<u64> free[kBlocks / 64];  // a bit each
  Block blocks[kBlocks];
};

enum Closed : u32 { kOpen = 0, kByTool, kToolGone, kTooManyThreads };

inline constexpr u64 kChannelHead = 2u << 20;
static_assert(sizeof(Channel) <= kChannelHead);
inline constexpr u64 kChannelBytes = kChannelHead + u64{kBlocks} * kBlockBytes;

inline Record* records_of(Channel* channel, u32 block) {
  return reinterpret_cast<Record*>(reinterpret_cast<char*>(channel) + kChannelHead +
                                   u64{block} * kBlockBytes);
}

// The environment variables for the program: the descriptor, and the file's name.
inline constexpr char kChannelDescriptor[] = "HEDDLE_RECORD_FD";
inline constexpr char kChannelPath[] = "HEDDLE_RECORD_PATH";

}  // namespace heddle::history
