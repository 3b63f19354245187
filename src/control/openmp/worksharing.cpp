#include "control/openmp/worksharing.hpp"

#include "control/openmp/barrier.hpp"
#include "control/openmp/core.hpp"
#include "control/openmp/reductions.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

// No iteration of the chunk will enter the ordered region any more.
void end_ordered_chunk(Workshare& share, u64 chunk) {
  share.over[chunk] = 1;
  while (share.over.find(share.turn)) {
    share.over.erase(share.turn);
    ++share.turn;
  }
}

ompt_work_t tool_kind(const LoopRequest& loop) {
  if (loop.sections) return ompt_work_sections;
  switch (loop.schedule) {
    case Schedule::kDynamic:
      return ompt_work_loop_dynamic;
    case Schedule::kGuided:
      return ompt_work_loop_guided;
    default:
      return ompt_work_loop_static;
  }
}

void resolve_schedule(const Thread& thread, LoopRequest& loop) {
  if (loop.schedule == Schedule::kRuntime) {
    loop.schedule = thread.task->settings.schedule;
    loop.chunk = static_cast<u64>(thread.task->settings.chunk);
  }
  if (loop.schedule == Schedule::kAuto) {
    loop.schedule = Schedule::kStatic;
    loop.chunk = 0;
  }
  if (loop.schedule != Schedule::kStatic && loop.chunk == 0) loop.chunk = 1;
}

// The first member's request counts for all; only the place for the reductions is each member's own.
void share_out(Thread& thread, Workshare& share, const LoopRequest& request) {
  if (request.reductions) open_group(thread, request.pc, true);
  if (!share.begun) {
    share.begun = true;
    share.loop = request;
    resolve_schedule(thread, share.loop);
    if (request.reductions) register_reductions(thread, request.reductions);
    if (request.memory) {
      share.memory_size = reinterpret_cast<usize>(*request.memory);
      share.memory = memory::allocate(share.memory_size);
      fresh_memory(share.memory, share.memory_size);
    }
  } else if (request.reductions) {
    register_reductions(thread, request.reductions, share.loop.reductions);
  }
  if (request.memory) *request.memory = share.memory;
}

struct Range {
  u64 from, to;  // iterations
};

// OpenMP guarantees which thread gets which iterations, and GCC's own computation for known schedules must agree.
bool static_range(const Member& member, const LoopRequest& loop, Range& range) {
  u64 threads = member.team->size, n = member.chunks_had;
  if (loop.chunk) {
    u64 first = (n * threads + member.number) * loop.chunk;
    if (first >= loop.count) return false;
    range = {first, first + loop.chunk < loop.count ? first + loop.chunk : loop.count};
    return true;
  }
  if (n > 0) return false;
  u64 each = loop.count / threads, longer = loop.count % threads;
  u64 from = member.number * each + (member.number < longer ? member.number : longer);
  range = {from, from + each + (member.number < longer)};
  return range.from < range.to;
}

bool dynamic_range(const Member& member, Workshare& share, Range& range) {
  const LoopRequest& loop = share.loop;
  if (share.next >= loop.count) return false;
  u64 left = loop.count - share.next, size = loop.chunk;
  if (loop.schedule == Schedule::kGuided) {
    u64 part = (left + member.team->size - 1) / member.team->size;
    if (part > size) size = part;
  }
  if (size > left) size = left;
  range = {share.next, share.next + size};
  share.next += size;
  return true;
}

// A member that has had its share of the chunks lets others go first: otherwise data bound to the executing thread
// (its stack, its heap blocks) would all be bound to one thread.
bool had_its_share(const Member& member, const Workshare& share) {
  u64 threads = member.team->size;
  if (threads == 1) return false;
  if (share.loop.schedule == Schedule::kGuided) return member.chunks_had > 0;
  u64 all = (share.loop.count + share.loop.chunk - 1) / share.loop.chunk;
  return member.chunks_had >= (all + threads - 1) / threads;
}

// Static chunks are numbered by their position, so that ordered regions know whose turn it is.
u64 chunk_number(const Member& member, const LoopRequest& loop, Workshare& share) {
  if (loop.schedule != Schedule::kStatic) return share.chunks++;
  return member.chunks_had * member.team->size + member.number;
}

void tell_end(Thread& thread, const LoopRequest& loop) {
  if (!std::exchange(thread.member->in_work, false)) return;
  tool_work(tool_kind(loop), ompt_scope_end, thread, 0, loop.pc);
  cut();
}

}  // namespace

Workshare& enter_share(Thread& thread) {
  Member& member = *thread.member;
  u64 number = member.constructs++;
  Workshare*& share = member.team->shares[number];
  if (!share) {
    share = memory::make<Workshare>();
    share->number = number;
  }
  return *share;
}

const void* name_of(const Team& team, const Workshare& share) {
  return reinterpret_cast<const void*>(mix(mix(reinterpret_cast<uptr>(&team)) + share.number) | 1);
}

void destroy_share(Workshare* share) {
  // Another loop may have the same address.
  if (share->loop.ordered)
    tool().lock_destroy(ompt_mutex_ordered, reinterpret_cast<ompt_wait_id_t>(share), nullptr);
  memory::release(share->memory, share->memory_size);
  memory::destroy(share);
}

void leave_share(Thread& thread) {
  Member& member = *thread.member;
  Workshare* share = std::exchange(member.share, nullptr);
  if (!share || ++share->left < member.team->size) return;
  member.team->shares.erase(share->number);
  destroy_share(share);
}

void begin_loop(Thread& thread, const LoopRequest& request) {
  Member& member = *thread.member;
  Workshare& share = enter_share(thread);
  member.share = &share;
  member.chunks_had = 0;
  member.has_chunk = false;
  share_out(thread, share, request);
  member.in_work = true;
  tool_work(tool_kind(share.loop), ompt_scope_begin, thread, share.loop.count, request.pc);
}

bool next_chunk(Thread& thread, Chunk& chunk) {
  Member& member = *thread.member;
  Workshare& share = *member.share;
  const LoopRequest& loop = share.loop;
  if (loop.ordered && member.has_chunk) end_ordered_chunk(share, member.chunk);
  member.has_chunk = false;
  bool any = loop.schedule != Schedule::kStatic;
  // If other members may cancel the loop, it also matters whether they have: they choose on the team (cancel.cpp).
  if (globals().cancellation)
    choose_to(member.team, "asks for the next chunk");
  else if (any)
    choose_to(name_of(*member.team, share), loop.sections ? "takes a section" : "takes a chunk of a loop",
              had_its_share(member, share));
  Range range;
  if (share.cancelled || !(any ? dynamic_range(member, share, range) : static_range(member, loop, range))) {
    tell_end(thread, loop);
    return false;
  }
  if (any && controlled()) core().changed(0);
  member.chunk = chunk_number(member, loop, share);
  member.has_chunk = true;
  ++member.chunks_had;
  chunk.begin = loop.start + range.from * loop.step;
  chunk.end = range.to == loop.count ? loop.end : loop.start + range.to * loop.step;
  ompt_dispatch_chunk_t told{chunk.begin, range.to - range.from};
  ompt_data_t instance{};
  if (loop.sections)
    instance.value = chunk.begin;
  else
    instance.ptr = &told;
  tool().dispatch(&member.team->tool, &thread.task->tool,
                  loop.sections ? ompt_dispatch_section : ompt_dispatch_ws_loop_chunk, instance);
  cut();
  return true;
}

void end_loop(Thread& thread) {
  Member& member = *thread.member;
  if (!member.share) return;
  if (member.has_chunk && member.share->loop.ordered) end_ordered_chunk(*member.share, member.chunk);
  member.has_chunk = false;
  tell_end(thread, member.share->loop);
}

bool end_at_barrier(Thread& thread, bool cancellable, const void* pc) {
  end_loop(thread);
  const bool cancelled = pass_barrier(thread, ompt_sync_region_barrier_implicit_workshare, cancellable, pc);
  leave_share(thread);
  return cancelled;
}

void end_nowait(Thread& thread) {
  end_loop(thread);
  leave_share(thread);
}

}  // namespace heddle::gomp
