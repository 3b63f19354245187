#include "runtime/state/thread_list.hpp"

#include <link.h>

#include "base/hash_map.hpp"
#include "base/thread_pointer.hpp"

namespace heddle::thread_list {
namespace {

struct Entry {
  ThreadState* thread;
  uptr thread_pointer;  // where the thread's static storage is found from
};

SpinLock g_lock;
HashMap<Entry>& entries() {
  static HashMap<Entry>* threads = memory::make<HashMap<Entry>>();
  return *threads;
}

// --- thread-local storage --------------------------------------------------------------------------------------------

// Storage of modules that were there at the start lies at the same distance from the thread pointer in every thread.
struct TlsSearch {
  uptr begin, end;
  uptr caller_pointer, thread_pointer;
  bool found = false;
};

bool in_tls(uptr begin, uptr end, uptr of_thread) {
  TlsSearch search{begin, end, thread_pointer(), of_thread};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* s = static_cast<TlsSearch*>(data);
        auto here = reinterpret_cast<uptr>(info->dlpi_tls_data);
        if (!here) return 0;
        uptr storage = here - s->caller_pointer + s->thread_pointer;
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS)
            s->found |= s->end > storage && s->begin < storage + info->dlpi_phdr[i].p_memsz;
        return s->found ? 1 : 0;
      },
      &search);
  return search.found;
}

// --- frames ----------------------------------------------------------------------------------------------------------

uptr word_at(uptr address) { return __atomic_load_n(reinterpret_cast<uptr*>(address), __ATOMIC_RELAXED); }

// Of the function that called the entry hook. Its frame ends with its own return address, which the hook was given,
// above the saved frame pointer of its caller. (A caller that is not instrumented may keep anything in that register.)
uptr frame_pointer_of(const Frame& frame, uptr limit) {
  constexpr usize kLargest = 1 << 20;
  if (limit - frame.frame_address > kLargest) limit = frame.frame_address + kLargest;
  uptr found = 0;
  for (uptr at = (frame.frame_address + 31) & ~uptr{15}; at + 2 * sizeof(uptr) <= limit; at += 16) {
    if (word_at(at + sizeof(uptr)) != frame.pc) continue;
    if (!found) found = at;
    if (uptr outer = word_at(at); outer > at && outer - at < kLargest) return at;
  }
  return found;
}

// Inner frames lie lower. The owner is the outermost frame that begins below the address, if it also ends above it.
void find_frame(const ThreadState& thread, uptr address, Owner& owner) {
  Frame* top = __atomic_load_n(&thread.top, __ATOMIC_ACQUIRE);
  if (top > thread.frames_end) return;
  const Frame* inner = nullptr;
  uptr limit = thread.stack_high;
  for (const Frame* frame = top; frame-- > thread.frames;) {
    if (frame->frame_address >= address) {
      limit =
          frame->frame_address + 2 * sizeof(uptr);  // where its own call of the hook put the same two words
      break;
    }
    inner = frame;
  }
  if (!inner || inner->frame_address < thread.stack_low || limit > thread.stack_high) return;
  uptr frame_pointer = frame_pointer_of(*inner, limit);
  if (!frame_pointer || address >= frame_pointer + 2 * sizeof(uptr)) return;
  owner.frame_pointer = frame_pointer;
  // Where the hook's return address was, the return address of whatever the function calls now is.
  owner.pc = word_at(inner->frame_address + sizeof(uptr)) - 1;
}

}  // namespace

void add(ThreadState& thread) {
  SpinGuard guard(g_lock);
  entries()[thread.number] = {&thread, thread_pointer()};
}

void remove(ThreadState& thread) {
  SpinGuard guard(g_lock);
  entries().erase(thread.number);
}

void for_each(void (*visit)(ThreadState&, void*), void* data) {
  if (!g_lock.lock_or_give_up()) return;
  entries().for_each([&](u64, Entry& entry) { visit(*entry.thread, data); });
  g_lock.unlock();
}

void replace_frames(ThreadState& thread, Frame* frames, usize count) {
  SpinGuard guard(g_lock);
  usize depth = static_cast<usize>(thread.top - thread.frames);
  free_frames(thread.frames, static_cast<usize>(thread.frames_end - thread.frames));
  thread.frames = frames;
  thread.top = frames + depth;
  thread.frames_end = frames + count;
  limit_frames(thread);
}

ThreadState* with_os_id(int os_id) {
  ThreadState* found = nullptr;
  for_each([&](ThreadState& thread) {
    if (thread.os_id == os_id) found = &thread;
  });
  return found;
}

Owner find(uptr address) {
  Owner owner;
  SpinGuard guard(g_lock);
  entries().for_each([&](u64 number, Entry& entry) {
    if (owner.thread) return;
    const ThreadState& thread = *entry.thread;
    if (in_tls(address, address + 1, entry.thread_pointer)) {
      owner.thread = static_cast<u32>(number);
      owner.in_tls = true;
    } else if (address >= thread.stack_low && address < thread.stack_high) {
      owner.thread = static_cast<u32>(number);
      find_frame(thread, address, owner);
    }
  });
  return owner;
}

bool in_own_tls(uptr begin, uptr end) { return in_tls(begin, end, thread_pointer()); }

}  // namespace heddle::thread_list
