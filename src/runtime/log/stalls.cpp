#include "runtime/log/stalls.hpp"

#include "runtime/log/parts.hpp"
#include "runtime/state/current_stack.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::raw_log {

namespace {

ThreadState* thread_of(const control::Actor& actor) { return thread_list::with_os_id(actor.os_id); }

// "0.2.1": the initial thread's third child's second.
void write_name(Line& line, const control::Actor* actor) {
  constexpr u32 kDeepest = 64;
  u32 path[kDeepest], depth = 0;
  for (; actor->parent && depth < kDeepest; actor = actor->parent) path[depth++] = actor->index;
  line.raw("\"0");
  while (depth > 0) line.raw(".").number(path[--depth]);
  line.raw("\"");
}

const char* kind_of_lock(uptr address) {
  Sync* sync = rt().syncs.find(address, SyncTable::kLock);
  return sync ? name(sync->kind) : "lock";
}

void write_actor(Line& line, const control::Actor& actor) {
  ThreadState* thread = actor.begun ? thread_of(actor) : nullptr;
  const control::Pending& pending = actor.pending;
  const bool wants_lock = pending.op == control::Op::kAcquire;
  line.raw("{\"name\":");
  write_name(line, &actor);
  line.raw(",\"kind\":").text(actor.what).raw(",\"waits\":").text(pending.what);
  line.raw(",\"thread\":").number(thread ? thread->number : 0);
  line.raw(",\"task\":")
      .number(thread && thread->context && thread->context->task ? thread->context->task->id : 0);
  if (wants_lock) {
    line.raw(",\"lock\":{\"kind\":").text(kind_of_lock(pending.object));
    line.raw(",\"address\":")
        .address(pending.object)
        .raw(",\"mode\":")
        .text(pending.write ? "write" : "read");
    line.raw("}");
    if (const control::Actor* holder = control::holder(pending.object, pending.write, &actor)) {
      line.raw(",\"holder\":");
      write_name(line, holder);
    }
  }
  line.raw(",\"holds\":[");
  for (u32 i = 0; i < actor.held.size(); ++i) {
    const control::HeldLock& held = actor.held[i];
    line.raw(i ? "," : "")
        .raw("{\"kind\":")
        .text(kind_of_lock(held.lock))
        .raw(",\"address\":")
        .address(held.lock);
    line.raw(",\"mode\":").text(held.write ? "write" : "read").raw("}");
  }
  line.raw("],\"stack\":").stack(thread ? current_stack(*thread, pending.pc) : 0).raw("}");
}

}  // namespace

void stall(control::Stall kind) {
  if (!ready()) return;
  write_modules();
  for (control::Actor* actor = control::first_actor(); actor; actor = actor->next)
    if (ThreadState* thread = actor->begun ? thread_of(*actor) : nullptr)
      if (thread->context) write_task(thread->context->task);
  Line line(g_last, "stall");
  line.raw(",\"kind\":")
      .text(kind == control::Stall::kDeadlock ? "deadlock" : "livelock")
      .raw(",\"actors\":[");
  bool first = true;
  for (control::Actor* actor = control::first_actor(); actor; actor = actor->next) {
    if (actor->state == control::State::kLast) continue;  // it does not wait for them
    if (!first) line.raw(",");
    first = false;
    write_actor(line, *actor);
  }
  line.raw("]");
}

namespace {

uptr word_at(uptr address) { return __atomic_load_n(reinterpret_cast<uptr*>(address), __ATOMIC_RELAXED); }

// What another thread's frames say may be out of date, if it runs. Nothing is allocated: the caller may be a signal
// handler.
void write_frames(Line& line, const ThreadState& thread, uptr pc) {
  const Frame* top = __atomic_load_n(&thread.top, __ATOMIC_ACQUIRE);
  const Frame* base = thread.frames + (thread.context ? thread.context->stack_base : 0);
  constexpr long kMost = 256;
  bool first = true;
  const auto put = [&](uptr place) {
    line.raw(first ? "" : ",").address(place);
    first = false;
  };
  line.raw(",\"stack\":[");
  // Where the entry hook's return address was, the return address of whatever the function calls now is.
  if (!pc && top > base && top[-1].frame_address >= thread.stack_low &&
      top[-1].frame_address < thread.stack_high)
    pc = word_at(top[-1].frame_address + sizeof(uptr));
  if (pc) put(pc);
  for (const Frame* frame = top; frame-- > base && top - frame <= kMost;) put(frame->pc);
  line.raw("]");
}

void write_thread(Line& line, const ThreadState& thread, const char* waits,
                  OwnLock (*own_lock)(const ThreadState&)) {
  const OwnLock own = own_lock(thread);
  line.raw("{\"name\":\"").number(thread.number).raw("\",\"kind\":\"thread\",\"waits\":");
  line.text(own.lock ? "waits for a lock that it holds itself" : waits);
  line.raw(",\"thread\":").number(thread.number).raw(",\"task\":");
  line.number(thread.context && thread.context->task ? thread.context->task->id : 0);
  if (own.lock)
    line.raw(",\"lock\":{\"kind\":").text(name(own.kind)).raw(",\"address\":").address(own.lock).raw("}");
  line.raw(",\"holds\":[");
  if (thread.context)
    for (u32 i = 0; i < thread.context->locks.size(); ++i) {
      line.raw(i ? "," : "");
      write_lock(line, thread.context->locks[i] >> 1, thread.context->locks[i] & 1);
      line.raw("}");
    }
  line.raw("]");
  write_frames(line, thread, own.pc);
  line.raw("}");
}

}  // namespace

void hang(const char* kind, ThreadState* only, OwnLock (*own_lock)(const ThreadState&)) {
  if (!ready()) return;
  const bool locked = g_lock.lock_or_give_up();
  write_modules();
  const auto chosen = [=](const ThreadState& thread) { return (!only || only == &thread) && thread.context; };
  thread_list::for_each([&](const ThreadState& thread) {
    if (chosen(thread)) write_task(thread.context->task);
  });
  {
    Line line(g_last, "stall");
    line.raw(",\"kind\":").text(kind).raw(",\"actors\":[");
    bool first = true;
    thread_list::for_each([&](const ThreadState& thread) {
      if (!chosen(thread)) return;
      line.raw(first ? "" : ",");
      first = false;
      write_thread(line, thread, kind[0] == 't' ? "was here at the time limit" : "waits", own_lock);
    });
    line.raw("]");
  }
  if (locked) g_lock.unlock();
}

}  // namespace heddle::raw_log
