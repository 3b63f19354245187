// The stream of records that a recorded thread writes. For the files of this room.
//
// A stream fills blocks of the channel; full ones are the tool's. Thread safety: a stream belongs to its thread.
#pragma once

#include "control/guided.hpp"
#include "history/channel/channel.hpp"
#include "order/depend_table.hpp"
#include "runtime/state/process.hpp"

namespace heddle::recorder {

using history::Op;
using order::Task;

extern history::Channel* g_channel;
extern u32 g_blocks;                                  // how many of the channel's are mapped
extern std::atomic<u32> g_tasks, g_teams, g_objects;  // numbers that were given so far
extern bool g_in_steps;
extern u32 g_step;  // the running one's number + 1

// A task of the history that stands in for a fence: see the top of the header.
struct Carrier {
  u32 task = 0;
  u32 of = 0;      // whose
  u32 object = 0;  // to its creator, or from it
  bool news = false;
};

// All fields belong to the thread.
struct Stream {
  history::Record* next = nullptr;
  history::Record* end = nullptr;
  const Task* task = nullptr;  // the running task, once it is named: then `frames` is about it
  u32 number = ~u32{0};        // the task that was named last
  bool busy = false;    // a Unix signal may come while a record is half written: its handler's are lost then
  bool frames = false;  // the task runs in the frames of its implicit task
  bool touched = false,
       handed_over = false;  // in this step: an access was made, something was released to others
  uptr tls_low = 0, tls_size = 0;
  uptr own_low = 0, own_size = 0;  // the heap blocks that the thread allocated inside the region lie in here
  u32 thread = 0;
  u32 block = ~u32{0};
  u32 sequence = 0;

  bool expects_depends = false;
  Task *held_parent = nullptr, *held_child = nullptr;  // a spawn whose clauses are still to come
  SpawnKind held_kind = SpawnKind::kTask;
  Carrier seen_relaxed, released_by_fence;

  // What was awaited, so that a loop that waits for a flag leaves one record.
  struct Awaited {
    u32 task, object, version;
  };
  static constexpr u32 kAwaited = 64;
  Awaited awaited[kAwaited] = {};

  static constexpr u32 kScratch = 64;
  history::Record scratch[kScratch];  // where records go when nobody takes them any more
};

// The block is the tool's; the stream has none.
void hand_over(Stream& stream);
// Waits for one if there is none.
void next_block(Stream& stream);

constexpr u64 first_word(Op op, u32 a = 0, u8 flags = 0, u16 size = 0) {
  return u64{static_cast<u8>(op)} | u64{flags} << 8 | u64{size} << 16 | u64{a} << 32;
}

HEDDLE_INLINE void store(history::Record* record, u64 first, u64 second) {
  u64* words = reinterpret_cast<u64*>(record);
  __atomic_store_n(words + 1, second, __ATOMIC_RELAXED);
  __atomic_store_n(words, first, __ATOMIC_RELEASE);
}

HEDDLE_INLINE void put(Stream& stream, u64 first, u64 second = 0) {
  if (HEDDLE_UNLIKELY(stream.next == stream.end)) next_block(stream);
  store(stream.next++, first, second);
}

// The ticket is drawn when there is room: a thread that waits for the tool holds up nobody else's records.
void put_ticketed(Stream& stream, u64 first, u32 b = 0);
// What follows is about this task.
void name(Stream& stream, u32 number);
constexpr u32 kMostDepends = 0xffff;
void put_depends(Stream& stream, const order::Depend* depends, u32 count);
void put_spawn(Stream& stream, const Task& parent, const Task& child, SpawnKind kind,
               const order::Depend* depends = nullptr, u32 count = 0);
// A spawn that was held back for its clauses is written. They did not come: then there are none.
void release_held(Stream& stream);
// A new step begins.
void mark(Stream& stream);

// While one lives, the stream is written by nobody else.
class Writing {
 public:
  // A held spawn goes first, unless the record can just as well stand before it.
  explicit Writing(Stream* stream, bool keeps_held = false)
      : stream_(stream && !stream->busy ? stream : nullptr) {
    if (!stream_) return;
    stream_->busy = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (!keeps_held) release_held(*stream_);
  }
  ~Writing() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (stream_) stream_->busy = false;
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  explicit operator bool() const { return stream_ != nullptr; }
  Stream& operator*() const { return *stream_; }

  void event(const Task& task, Op op, u32 a = 0, u8 flags = 0, u32 b = 0) {
    event(task.recorded_as, op, a, flags, b);
  }
  void event(u32 task, Op op, u32 a = 0, u8 flags = 0, u32 b = 0) {
    name(*stream_, task);
    put_ticketed(*stream_, first_word(op, a, flags), b);
  }
  // False if it was awaited before, and nothing has come since.
  bool await(u32 task, const order::SyncObject& object) {
    Stream::Awaited& known = stream_->awaited[(object.recorded_as + task * 7) % Stream::kAwaited];
    if (known.task == task && known.object == object.recorded_as && known.version == object.recorded_version)
      return false;
    known = {task, object.recorded_as, object.recorded_version};
    event(task, Op::kAwait, object.recorded_as);
    return true;
  }
  void signal(u32 task, order::SyncObject& object, bool replaces) {
    if (!object.recorded_as) object.recorded_as = g_objects.fetch_add(1, std::memory_order_relaxed);
    ++object.recorded_version;
    event(task, Op::kSignal, object.recorded_as, replaces ? history::kReplaceFlag : 0);
  }

 private:
  Stream* stream_;
};

// Of the calling thread; null if it has none.
inline Stream* own_stream() {
  ThreadState* thread = self();
  return thread ? thread->stream : nullptr;
}

}  // namespace heddle::recorder
