#include "runtime/recording/recorder.hpp"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system_call.hpp"
#include "base/text.hpp"
#include "base/thread_pointer.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/recording/order_recorder.hpp"
#include "runtime/recording/stream.hpp"
#include "runtime/state/access_mode.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/thread_bound.hpp"

namespace heddle::recorder {

using history::Channel;

namespace {

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

void open(Channel* channel) {
  channel->program.store(static_cast<u32>(system_call(SYS_getpid)));
  start_on(channel);
  g_blocks = history::kBlocks;
  g_in_steps = true;
  rt().order.set_listener(&order_recorder());
}

void prepare() { g_tls = find_tls(); }

void mark_step(u32 number) {
  g_step = number;
  if (Stream* stream = own_stream()) mark(*stream);
}

order::Listener* listener() { return g_channel ? &order_recorder() : nullptr; }

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

void record_detached(ThreadState& thread, const Task& child) {
  if (Writing writing(thread.stream); writing)
    writing.event(*thread.context->task, Op::kDetachThread, child.recorded_as);
}

void record_acquired(ThreadState& thread, u32 lock, bool write, How how) {
  const u32 site = g_runtime->explored ? history::lock_digest(rt().syncs.lock_by_id(lock)->address)
                                       : current_stack(thread, how.pc);
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

}  // namespace heddle::recorder
