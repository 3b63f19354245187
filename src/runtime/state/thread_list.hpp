// The threads that are attached, so that a report can say whose stack or thread-local storage an address lies in, and
// in which function's frame. Thread safety: any thread may call anything; the lock is taken when a thread comes or
// goes, when its call stack grows, and for a report.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::thread_list {

// By the thread itself, when its state is complete / before its state is freed.
void add(ThreadState& thread);
void remove(ThreadState& thread);
// Calls visit for every thread while none can come or go. Does nothing if that cannot be had in reasonable time: the
// caller may be a signal handler that interrupted the holder of the list.
void for_each(void (*visit)(ThreadState&, void*), void* data);
template <class Visit>
void for_each(Visit visit) {
  for_each([](ThreadState& thread, void* data) { (*static_cast<Visit*>(data))(thread); }, &visit);
}
// The one with the kernel's number; null: there is none.
ThreadState* with_os_id(int os_id);
// By the thread itself: gives it another array of frames, and frees the old one while no thread reads it.
void replace_frames(ThreadState& thread, Frame* frames, usize count);

struct Owner {
  u32 thread = 0;  // 0: none's
  bool in_tls = false;
  uptr pc = 0;             // a place in the function whose frame it is, 0 when that is not known
  uptr frame_pointer = 0;  // that function's
};
// What another thread's frames say may be out of date by the time it is read; the address and the thread are not.
Owner find(uptr address);

// Does any of this range lie in the thread-local storage of the calling thread?
bool in_own_tls(uptr begin, uptr end);

}  // namespace heddle::thread_list
