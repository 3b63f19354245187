#include "runtime/recording/stream.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/system_call.hpp"
#include "runtime/log/raw_log.hpp"

namespace heddle::recorder {

using history::BlockState;

history::Channel* g_channel = nullptr;
u32 g_blocks = 0;
std::atomic<u32> g_tasks{1}, g_teams{0}, g_objects{1};
bool g_in_steps = false;
u32 g_step = 0;

namespace {

long futex(std::atomic<u32>& word, int operation, u32 value, const timespec* most = nullptr) {
  return system_call(SYS_futex, &word, operation, value, most, nullptr, 0);
}

}  // namespace

void hand_over(Stream& stream) {
  if (stream.block == ~u32{0}) return;
  g_channel->blocks[stream.block].state.store(BlockState::kFull, std::memory_order_release);
  stream.block = ~u32{0};
  g_channel->handed_over.fetch_add(1);
  if (g_channel->tool_waits.load()) futex(g_channel->handed_over, FUTEX_WAKE, 1);
}

namespace {

// The lowest, so that few are ever touched. False if there is none.
bool take(Stream& stream) {
  for (u32 word = 0; word < g_blocks / 64; ++word) {
    std::atomic<u64>& free = g_channel->free[word];
    for (u64 bits = free.load(std::memory_order_relaxed); bits; bits &= bits - 1) {
      u64 bit = bits & -bits;
      if (!(free.fetch_and(~bit, std::memory_order_acquire) & bit)) continue;
      u32 index = word * 64 + static_cast<u32>(__builtin_ctzll(bit));
      history::Block& block = g_channel->blocks[index];
      block.stream = stream.thread;
      block.sequence = stream.sequence++;
      block.state.store(BlockState::kFilling, std::memory_order_release);
      u32 used = g_channel->used.load(std::memory_order_relaxed);
      while (used <= index && !g_channel->used.compare_exchange_weak(used, index + 1)) {
      }
      stream.block = index;
      stream.next = history::records_of(g_channel, index);
      stream.end = stream.next + history::kBlockRecords;
      return true;
    }
  }
  return false;
}

void close_channel(history::Closed why, const char* text) {
  u32 open = history::kOpen;
  if (g_channel->closed.compare_exchange_strong(open, why)) raw_log::warning(text);
}

// Until the tool has given something back. `rounds` counts those in which it did nothing.
void wait_for_tool(u32& rounds) {
  constexpr u32 kMostIdleRounds = 20;  // of a tenth of a second
  u32 given_back = g_channel->given_back.load(), beat = g_channel->beat.load();
  bool all_ours = g_channel->handed_over.load() == given_back;  // the tool has nothing to give back
  timespec tenth{0, 100'000'000};
  g_channel->program_waits.fetch_add(1);
  futex(g_channel->given_back, FUTEX_WAIT, given_back, &tenth);
  g_channel->program_waits.fetch_sub(1);
  if (g_channel->given_back.load() != given_back) {
    rounds = 0;
    return;
  }
  ++rounds;
  bool gone = g_channel->beat.load() == beat && system_call(SYS_kill, g_channel->tool, 0) == -ESRCH;
  if (rounds > kMostIdleRounds && gone)
    close_channel(history::kToolGone, "the recording tool is gone: the rest of the run is not recorded");
  else if (rounds > kMostIdleRounds && all_ours)
    close_channel(history::kTooManyThreads,
                  "more threads at once than a recording has room for: the rest of the run is not recorded");
}

}  // namespace

void next_block(Stream& stream) {
  int saved = errno;
  hand_over(stream);
  for (u32 rounds = 0; !g_channel->closed.load(std::memory_order_relaxed);) {
    u32 waiting = g_channel->handed_over.load() - g_channel->given_back.load();
    if (waiting < history::kMostWaiting && take(stream)) {
      errno = saved;
      return;
    }
    wait_for_tool(rounds);
  }
  stream.next = stream.scratch;
  stream.end = stream.scratch + Stream::kScratch;
  errno = saved;
}

namespace {

// The task acquires: it comes to know, or to hold, more.
constexpr bool acquires(Op op) {
  switch (op) {
    case Op::kBegin:
    case Op::kJoinThread:
    case Op::kWaitChildren:
    case Op::kWaitDepend:
    case Op::kGroupClose:
    case Op::kTeamBegin:
    case Op::kWorkBegin:
    case Op::kBarrierLeave:
    case Op::kJoin:
    case Op::kAwait:
    case Op::kAcquire:
      return true;
    default:
      return false;
  }
}
// The task releases: others may know, or hold, what was its own.
constexpr bool releases(Op op) {
  switch (op) {
    case Op::kSpawn:
    case Op::kEnd:
    case Op::kFork:
    case Op::kBarrierArrive:
    case Op::kSignal:
    case Op::kRelease:
      return true;
    default:
      return false;
  }
}

}  // namespace

void put_ticketed(Stream& stream, u64 first, u32 b) {
  auto op = static_cast<Op>(first & 0xff);
  if (HEDDLE_UNLIKELY(g_in_steps)) {
    if (stream.touched && acquires(op)) control::cut_here();
    if (releases(op)) stream.handed_over = true;
  }
  if (stream.next == stream.end) next_block(stream);
  u64 ticket = g_channel->tickets.fetch_add(1, std::memory_order_acq_rel);
  store(stream.next++, first, u64{b} | ticket << 32);
}

void name(Stream& stream, u32 number) {
  stream.task = nullptr;
  if (stream.number == number) return;
  stream.number = number;
  put(stream, first_word(Op::kTask, number));
}

void put_depends(Stream& stream, const order::Depend* depends, u32 count) {
  for (u32 i = 0; i < count; ++i)
    put(stream, first_word(Op::kDepend, 0, static_cast<u8>(depends[i].kind)), depends[i].address);
}

void put_spawn(Stream& stream, const Task& parent, const Task& child, SpawnKind kind,
               const order::Depend* depends, u32 count) {
  if (count > kMostDepends) count = kMostDepends;
  name(stream, parent.recorded_as);
  put_ticketed(stream,
               first_word(Op::kSpawn, child.recorded_as, static_cast<u8>(kind), static_cast<u16>(count)));
  put_depends(stream, depends, count);
}

void release_held(Stream& stream) {
  if (!stream.held_child) return;
  const Task* child = stream.held_child;
  stream.held_child = nullptr;
  put_spawn(stream, *stream.held_parent, *child, stream.held_kind);
}

void mark(Stream& stream) {
  put_ticketed(stream, first_word(Op::kOrder, g_step));
  stream.touched = stream.handed_over = false;
}

}  // namespace heddle::recorder
