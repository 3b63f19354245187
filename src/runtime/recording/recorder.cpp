#include "runtime/recording/recorder.hpp"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/system_call.hpp"
#include "base/text.hpp"
#include "base/thread_pointer.hpp"
#include "control/guided.hpp"
#include "history/channel/channel.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/state/access_mode.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_bound.hpp"

namespace heddle::recorder {

using history::Block;
using history::BlockState;
using history::Channel;
using history::Op;
using order::Task;

namespace {

Channel* g_channel = nullptr;
u32 g_blocks = 0;  // how many of the channel's are mapped
std::atomic<u32> g_tasks{1}, g_teams{0}, g_objects{1};
std::atomic<bool> g_any_bound{false};
bool g_in_steps = false;
bool g_without_accesses = false;
u32 g_step = 0;  // the running one's number + 1

// A task of the history that stands in for a fence: see the top of the header.
struct Carrier {
  u32 task = 0;
  u32 of = 0;      // whose
  u32 object = 0;  // to its creator, or from it
  bool news = false;
};

}  // namespace

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

// --- blocks ----------------------------------------------------------------------------------------------------------

namespace {

long futex(std::atomic<u32>& word, int operation, u32 value, const timespec* most = nullptr) {
  return system_call(SYS_futex, &word, operation, value, most, nullptr, 0);
}

void hand_over(Stream& stream) {
  if (stream.block == ~u32{0}) return;
  g_channel->blocks[stream.block].state.store(BlockState::kFull, std::memory_order_release);
  stream.block = ~u32{0};
  g_channel->handed_over.fetch_add(1);
  if (g_channel->tool_waits.load()) futex(g_channel->handed_over, FUTEX_WAKE, 1);
}

// The lowest, so that few are ever touched. False if there is none.
bool take(Stream& stream) {
  for (u32 word = 0; word < g_blocks / 64; ++word) {
    std::atomic<u64>& free = g_channel->free[word];
    for (u64 bits = free.load(std::memory_order_relaxed); bits; bits &= bits - 1) {
      u64 bit = bits & -bits;
      if (!(free.fetch_and(~bit, std::memory_order_acquire) & bit)) continue;
      u32 index = word * 64 + static_cast<u32>(__builtin_ctzll(bit));
      Block& block = g_channel->blocks[index];
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

HEDDLE_NOINLINE void next_block(Stream& stream) {
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

// --- records ---------------------------------------------------------------------------------------------------------

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

// The ticket is drawn when there is room: a thread that waits for the tool holds up nobody else's records.
void put_ticketed(Stream& stream, u64 first, u32 b = 0) {
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

constexpr u32 kMostDepends = 0xffff;

void put_spawn(Stream& stream, const Task& parent, const Task& child, SpawnKind kind,
               const order::Depend* depends = nullptr, u32 count = 0) {
  if (count > kMostDepends) count = kMostDepends;
  name(stream, parent.recorded_as);
  put_ticketed(stream,
               first_word(Op::kSpawn, child.recorded_as, static_cast<u8>(kind), static_cast<u16>(count)));
  put_depends(stream, depends, count);
}

// The clauses did not come: then there are none.
void release_held(Stream& stream) {
  if (!stream.held_child) return;
  const Task* child = stream.held_child;
  stream.held_child = nullptr;
  put_spawn(stream, *stream.held_parent, *child, stream.held_kind);
}

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

void mark(Stream& stream) {
  put_ticketed(stream, first_word(Op::kOrder, g_step));
  stream.touched = stream.handed_over = false;
}

Stream* own_stream() {
  ThreadState* thread = self();
  return thread ? thread->stream : nullptr;
}

// --- the order's part ------------------------------------------------------------------------------------------------

class OrderRecorder final : public order::Listener {
 public:
  void spawned(Task& parent, Task& child, SpawnKind kind) override {
    child.recorded_as = g_tasks.fetch_add(1, std::memory_order_relaxed);
    Writing writing(own_stream());
    if (!writing) return;
    if ((*writing).expects_depends) {
      (*writing).expects_depends = false;
      (*writing).task = nullptr;
      (*writing).held_parent = &parent;
      (*writing).held_child = &child;
      (*writing).held_kind = kind;
      return;
    }
    put_spawn(*writing, parent, child, kind);
  }
  void not_started(Task& creator, Task& thread) override {
    Writing writing(own_stream());
    if (!writing) return;
    writing.event(thread, Op::kBegin, (*writing).thread);
    writing.event(thread, Op::kEnd);
    writing.event(creator, Op::kJoinThread, thread.recorded_as);
  }
  void ended(Task& task) override {
    Writing writing(own_stream());
    if (!writing) return;
    // Cancelled before it began.
    if (!task.thread.load(std::memory_order_relaxed)) writing.event(task, Op::kBegin, (*writing).thread);
    writing.event(task, Op::kEnd);
  }
  void joined_thread(Task& task, Task& thread) override { tell(task, Op::kJoinThread, thread.recorded_as); }
  void waited_for_children(Task& task) override { tell(task, Op::kWaitChildren); }
  void opened_group(Task& task) override { tell(task, Op::kGroupOpen); }
  void closed_group(Task& task) override { tell(task, Op::kGroupClose); }
  void forked(order::Team& team) override {
    team.recorded_as = g_teams.fetch_add(1, std::memory_order_relaxed);
    tell(*team.parent, Op::kFork, team.recorded_as);
  }
  void began_in_team(order::Team& team, Task& task) override { begin(Op::kTeamBegin, team, task); }
  void began_team_work(order::Team& team, Task& task) override { begin(Op::kWorkBegin, team, task); }
  void arrived(order::Team& team, Task& task) override { tell(task, Op::kBarrierArrive, team.recorded_as); }
  void left_barrier(order::Team& team, Task& before, Task& next) override {
    next.recorded_as = before.recorded_as;
    tell(next, Op::kBarrierLeave, team.recorded_as);
  }
  void joined(order::Team& team) override { tell(*team.parent, Op::kJoin, team.recorded_as); }
  void published(Task& task, order::SyncObject& object, bool replaces) override {
    if (Writing writing(own_stream()); writing) writing.signal(task.recorded_as, object, replaces);
  }
  void awaited(Task& task, order::SyncObject& object) override {
    if (!object.recorded_as) return;
    if (Writing writing(own_stream()); writing) writing.await(task.recorded_as, object);
  }

 private:
  static void tell(const Task& task, Op op, u32 a = 0) {
    if (Writing writing(own_stream()); writing) writing.event(task, op, a);
  }
  static void begin(Op op, const order::Team& team, Task& task) {
    task.recorded_as = g_tasks.fetch_add(1, std::memory_order_relaxed);
    if (Writing writing(own_stream()); writing)
      writing.event(task, op, team.recorded_as, 0, (*writing).thread);
  }
};

OrderRecorder g_order_recorder;

// --- start and end ---------------------------------------------------------------------------------------------------

int open_descriptor() {
  struct stat status;
  auto is_channel = [&](int descriptor) {
    return system_call(SYS_fstat, descriptor, &status) == 0 &&
           status.st_size == static_cast<off_t>(history::kChannelBytes);
  };
  const char* number = environment(history::kChannelDescriptor);
  if (!number) return -1;
  if (int given = static_cast<int>(read_number(number)); is_channel(given)) return given;
  // A launcher may have closed what it did not know.
  const char* path = environment(history::kChannelPath);
  int again = path ? static_cast<int>(system_call(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC)) : -1;
  return again >= 0 && is_channel(again) ? again : -1;
}

// Under a limit of address space with fewer blocks.
Channel* map_channel(int descriptor) {
  for (g_blocks = history::kBlocks; g_blocks >= 64; g_blocks /= 4) {
    usize size = history::kChannelHead + usize{g_blocks} * history::kBlockBytes;
    long at = system_call(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (at > 0 || at < -4096) return reinterpret_cast<Channel*>(at);
  }
  return nullptr;
}

// Storage of the modules that are there when the thread starts, which lies in one piece below the thread pointer. What
// a library that is loaded later adds to it is not known to be the thread's. In an exploration it is where it was in
// the initial thread before the executions parted: to ask costs each of them a page a library.
struct Tls {
  uptr below = 0, size = 0;  // the thread pointer
};
Tls g_tls;

Tls find_tls() {
  struct Range {
    uptr pointer, low, high;
  } range{thread_pointer(), ~uptr{0}, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* r = static_cast<Range*>(data);
        auto begin = reinterpret_cast<uptr>(info->dlpi_tls_data);
        constexpr usize kFarthest = 1 << 20;
        if (!begin || begin > r->pointer || r->pointer - begin > kFarthest) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
          uptr end = begin + info->dlpi_phdr[i].p_memsz;
          if (begin < r->low) r->low = begin;
          if (end > r->high) r->high = end;
        }
        return 0;
      },
      &range);
  if (range.low >= range.high) return {};
  return {range.pointer - range.low, range.high - range.low};
}

void record_site(ThreadState& thread, StackId site, StackId caller, uptr pc) {
  raw_log::note_modules();
  Stream& stream = *thread.stream;
  // Also from inside record_access(), between two records.
  bool was_busy = stream.busy;
  stream.busy = true;
  put(stream, first_word(Op::kSite, site), caller);
  put(stream, first_word(Op::kSitePc), pc);
  stream.busy = was_busy;
}

void start_on(Channel* channel) {
  g_channel = channel;
  on_new_site = record_site;
  mode_changed();
}

}  // namespace

bool on() { return g_channel != nullptr; }

bool open() {
  int descriptor = open_descriptor();
  if (descriptor < 0) return false;
  Channel* channel = map_channel(descriptor);
  system_call(SYS_close, descriptor);
  if (!channel || channel->magic != Channel::kMagic || channel->version != Channel::kVersion) return false;
  u32 nobody = 0;
  if (!channel->program.compare_exchange_strong(nobody, static_cast<u32>(system_call(SYS_getpid)))) {
    channel->others.fetch_add(1);
    return false;
  }
  start_on(channel);
  return true;
}

void leave_out_accesses() { g_without_accesses = true; }

void open(Channel* channel) {
  channel->program.store(static_cast<u32>(system_call(SYS_getpid)));
  start_on(channel);
  g_blocks = history::kBlocks;
  g_in_steps = true;
  rt().order.set_listener(&g_order_recorder);
}

void prepare() { g_tls = find_tls(); }

void mark_step(u32 number) {
  g_step = number;
  if (Stream* stream = own_stream()) mark(*stream);
}

order::Listener* listener() { return g_channel ? &g_order_recorder : nullptr; }

Stream* start(const ThreadState& thread) {
  if (!g_channel || !rt().enabled) return nullptr;  // a forked child has the channel, but no say
  auto* stream = memory::make<Stream>();
  stream->thread = thread.number;
  const Tls tls = g_tls.size ? g_tls : find_tls();
  stream->tls_low = thread_pointer() - tls.below;
  stream->tls_size = tls.size;
  // A thread that attaches itself after it was given the baton is in the middle of a step.
  if (g_in_steps && control::active()) mark(*stream);
  return stream;
}

void finish(Stream* stream) {
  if (!stream) return;
  {
    Writing writing(stream);
    for (Carrier* carrier : {&stream->seen_relaxed, &stream->released_by_fence})
      if (writing && carrier->task) writing.event(carrier->task, Op::kEnd);
  }
  hand_over(*stream);
  memory::destroy(stream);
}

// --- what the order does not know ------------------------------------------------------------------------------------

void record_begin(ThreadState& thread, Task& task) {
  if (Writing writing(thread.stream); writing) writing.event(task, Op::kBegin, thread.number);
}

void record_acquired(ThreadState& thread, u32 lock, bool write, How how) {
  // An exploration has no use for places.
  const StackId site = g_runtime->explored ? 0 : current_stack(thread, how.pc);
  const u8 flags = (write ? history::kWriteFlag : 0) | (how.waits ? 0 : history::kTriesFlag);
  if (Writing writing(thread.stream); writing)
    writing.event(*thread.context->task, Op::kAcquire, lock, flags, site);
}

void record_released(ThreadState& thread, u32 lock, bool write) {
  if (Writing writing(thread.stream); writing)
    writing.event(*thread.context->task, Op::kRelease, lock, write ? history::kWriteFlag : 0);
}

void expect_depends(ThreadState& thread) {
  if (thread.stream) thread.stream->expects_depends = true;
}

void record_depends(ThreadState& thread, Task& child, const order::Depend* depends, u32 count) {
  Stream& stream = *thread.stream;
  if (stream.busy || stream.held_child != &child) return;
  stream.held_child = nullptr;
  if (Writing writing(&stream); writing)
    put_spawn(stream, *stream.held_parent, child, stream.held_kind, depends, count);
}

void record_wait_depend(ThreadState& thread, Task& task, const order::Depend* depends, u32 count) {
  Writing writing(thread.stream);
  if (!writing) return;
  if (count > kMostDepends) count = kMostDepends;
  name(*writing, task.recorded_as);
  put_ticketed(*writing, first_word(Op::kWaitDepend, 0, 0, static_cast<u16>(count)));
  put_depends(*writing, depends, count);
}

void record_order(ThreadState& thread) {
  if (Writing writing(thread.stream); writing) put_ticketed(*writing, first_word(Op::kOrder));
}

// Whose task gets it does not matter, but there must be one. The OpenMP runtime may take memory between the creation of
// a task and its clauses, which must not be lost for that.
void record_new_memory(ThreadState& thread, uptr address, usize size) {
  Writing writing(thread.stream, /*keeps_held=*/true);
  if (!writing) return;
  if ((*writing).number == ~u32{0}) name(*writing, 0);
  put_ticketed(*writing, first_word(Op::kOrder));
  constexpr usize kMost = usize{1} << 31;
  for (usize part; size; size -= part, address += part) {
    part = size < kMost ? size : kMost;
    put(*writing, first_word(Op::kNewMemory, static_cast<u32>(part)), address);
  }
}

void note_own_block(ThreadState& thread, uptr address, usize size) {
  Stream& stream = *thread.stream;
  if (!shares_frames(*thread.context->task)) return;
  uptr low = stream.own_low, high = low + stream.own_size;
  if (!stream.own_size || address < low) low = address;
  if (address + size > high) high = address + size;
  stream.own_low = low;
  stream.own_size = high - low;
}

void note_bound_memory() { g_any_bound.store(true, std::memory_order_relaxed); }

// --- atomics and fences ----------------------------------------------------------------------------------------------

namespace {

// It starts with what its creator knows now.
void ensure(Writing& writing, Carrier& carrier, const Task& creator) {
  if (carrier.task && carrier.of == creator.recorded_as) return;
  if (carrier.task) writing.event(carrier.task, Op::kEnd);
  carrier = {g_tasks.fetch_add(1, std::memory_order_relaxed), creator.recorded_as,
             g_objects.fetch_add(1, std::memory_order_relaxed), false};
  writing.event(creator, Op::kSpawn, carrier.task, static_cast<u8>(SpawnKind::kThread));
  writing.event(carrier.task, Op::kBegin, (*writing).thread);
}

}  // namespace

// What was seen may be an address: what is done there from now on comes after what its sender did before, ordered or
// not.
void record_seen(ThreadState& thread, order::SyncObject* object, bool acquires) {
  Writing writing(thread.stream);
  if (!writing) return;
  const Task& task = *thread.context->task;
  bool ticket = false;
  if (object && object->recorded_as && acquires) {
    ticket = writing.await(task.recorded_as, *object);
  } else if (object && object->recorded_as) {
    Carrier& carrier = (*writing).seen_relaxed;
    ensure(writing, carrier, task);
    ticket = writing.await(carrier.task, *object);
    carrier.news = true;
  }
  if (!ticket) put_ticketed(*writing, first_word(Op::kOrder));
}

void record_written(ThreadState& thread, order::SyncObject& object, bool releases, bool replaces) {
  Writing writing(thread.stream);
  if (!writing) return;
  const Task& task = *thread.context->task;
  const Carrier& fence = (*writing).released_by_fence;
  if (releases)
    writing.signal(task.recorded_as, object, replaces);
  else if (fence.task && fence.of == task.recorded_as)
    writing.signal(fence.task, object, replaces);
  else if (replaces)
    object.recorded_as = 0;  // nothing to await any more: what is published later goes by another number
}

void record_fence(ThreadState& thread, bool acquires, bool releases) {
  Writing writing(thread.stream);
  if (!writing) return;
  const Task& task = *thread.context->task;
  Carrier& seen = (*writing).seen_relaxed;
  if (acquires && seen.task && seen.of == task.recorded_as && seen.news) {
    seen.news = false;
    writing.event(seen.task, Op::kSignal, seen.object, history::kReplaceFlag);
    writing.event(task, Op::kAwait, seen.object);
  }
  Carrier& fence = (*writing).released_by_fence;
  if (!releases) return;
  if (!fence.task || fence.of != task.recorded_as) return ensure(writing, fence, task);
  writing.event(task, Op::kSignal, fence.object, history::kReplaceFlag);
  writing.event(fence.task, Op::kAwait, fence.object);
}

// --- accesses --------------------------------------------------------------------------------------------------------

namespace {

// As whose() decides it for two, access by access.
Own whose(const ThreadState& thread, const Stream& stream, uptr address, u64 claims) {
  if (HEDDLE_UNLIKELY(g_any_bound.load(std::memory_order_relaxed)) && in_bound_memory(address))
    return Own::kYes;
  const bool in_tls = address - stream.tls_low < stream.tls_size;
  if (in_tls && (claims & race::kBound)) return Own::kYes;
  if (in_tls) return (claims & race::kNamed) || !rt().names_are_known ? Own::kIfByName : Own::kNo;
  const TaskContext& context = *thread.context;
  if (claims & race::kBound) {
    // A history does not tell in which team the number was asked for.
    const Task* team = asks_in_team_of(*context.task);
    return team && asks_in_team_of(*team) ? Own::kIfByNumber : Own::kYes;
  }
  const bool on_stack = address >= thread.stack_low && address < thread.stack_high;
  if (stream.frames && on_stack) {
    if (address < context.own_below) return Own::kYes;
    for (const TaskContext* outer = context.outer; outer && shares_frames(*outer->task); outer = outer->outer)
      if (address < outer->own_below) return Own::kIfPrivateBlock;
  }
  // Its own frames, where it has none but those.
  if (on_stack && address < thread.frames[int{-1} + static_cast<int>(context.stack_base)].frame_address)
    return Own::kNo;
  if (claims & race::kAsked) return Own::kIfByNumber;
  const bool in_region = stream.frames && address - stream.own_low < stream.own_size;
  if (!in_region && !(claims & race::kNamed)) return Own::kNo;
  const HeapBlock block = rt().heap.around(address);
  // What the task itself has allocated matters only once another task comes there.
  const bool own = block.task == context.task->id;
  if (in_region && in_block_of_region(thread, block)) return own ? Own::kYes : Own::kIfPrivateBlock;
  if (!(claims & race::kNamed) || !block.named || block.thread != thread.number) return Own::kNo;
  return own ? Own::kYes : Own::kIfByName;
}

// What is perhaps the thread's is recorded as if it were, and that is said.
HEDDLE_NOINLINE void take_for_own() {
  static std::atomic<bool> said{false};
  if (g_runtime->explored) return control::assume(control::Assumption::kThreadsOwn);
  if (!said.exchange(true))
    raw_log::warning(
        "the history takes for a thread's own what may be shared: blocks that the thread allocated in the "
        "region, and "
        "what tasks that know its number or name its variables reach otherwise. `heddle run` reports races "
        "there");
}

// No other task of its thread is parallel to it: those of a region are joined, those outside of regions take turns with
// it.
bool is_thread(const Task& task) {
  const auto kind = static_cast<TaskKind>(task.kind);
  return kind == TaskKind::kInitialThread || kind == TaskKind::kThread;
}

HEDDLE_NOINLINE void take_task(Stream& stream, const Task& task) {
  release_held(stream);
  name(stream, task.recorded_as);
  stream.task = &task;
  stream.frames = shares_frames(task);
}

}  // namespace

// For the baseline that schedules at every access to memory that may be shared: not to the thread's own stack.
HEDDLE_NOINLINE static void choose_at_access(ThreadState& thread, uptr address, u64 flags, uptr pc) {
  const control::Board* board = control::board();
  if (!board || !board->choose_at_accesses || !control::active()) return;
  if (address >= thread.stack_low && address < thread.stack_high) return;
  thread.active = false;
  control::choose({.op = control::Op::kChoice,
                   .write = (flags & race::kWrite) != 0,
                   .object = address,
                   .what = "accesses memory",
                   .pc = pc});
  thread.active = true;
}

void access(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  Stream& stream = *thread.stream;
  if (HEDDLE_UNLIKELY(stream.busy)) return;
  if (HEDDLE_UNLIKELY(g_in_steps && flags & race::kPlain) && control::active())
    control::touched(address, size, flags & race::kWrite,
                     address >= thread.stack_low && address < thread.stack_high);
  if (HEDDLE_UNLIKELY(g_without_accesses)) return;
  if (HEDDLE_UNLIKELY(g_in_steps)) choose_at_access(thread, address, flags, pc);
  thread.active = false;
  if (HEDDLE_UNLIKELY(g_in_steps)) {
    if (stream.handed_over || (stream.touched && stream.task != thread.context->task)) control::cut();
    // What an atomic operation acquires, it acquires by its own access.
    if (flags & race::kPlain) stream.touched = true;
  }
  stream.busy = true;
  if (HEDDLE_UNLIKELY(stream.task != thread.context->task)) take_task(stream, *thread.context->task);
  u64 first = first_word(Op::kAccess, current_site(thread, pc));
  if (flags & race::kWrite) first |= u64{history::kWriteFlag} << 8;
  if (!(flags & race::kPlain)) first |= u64{history::kAtomicFlag} << 8;
  const Own own = whose(thread, stream, address, thread.context->claims | (flags & race::kBound));
  if (own != Own::kNo) first |= u64{history::kBoundFlag} << 8;
  if (HEDDLE_UNLIKELY(own > Own::kYes) && !is_thread(*thread.context->task)) take_for_own();
  if (HEDDLE_UNLIKELY(address < thread.stack_touched) && address >= thread.stack_low &&
      address < thread.stack_high)
    thread.stack_touched = address & ~uptr{7};
  constexpr usize kMost = 0xfff8;  // whole granules
  for (; HEDDLE_UNLIKELY(size > kMost); size -= kMost, address += kMost)
    put(stream, first | kMost << 16, address);
  put(stream, first | size << 16, address);
  stream.busy = false;
  thread.active = true;
}

void record_free(ThreadState& thread, uptr address, usize size, uptr pc) {
  access(thread, address, size, race::kWrite | race::kPlain, pc);
}

}  // namespace heddle::recorder
