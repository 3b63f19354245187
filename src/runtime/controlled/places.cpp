#include "runtime/controlled/places.hpp"

#include <link.h>

#include "control/strategy.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/state/abstract_names.hpp"
#include "runtime/state/access_mode.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::places {

bool g_any = false;
StopAt stop_at = nullptr;

namespace {

const control::Steering* g_steering = nullptr;

uptr bias_of_executable() {
  uptr bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uptr*>(result) = info->dlpi_addr;
        return 1;  // it is the first
      },
      &bias);
  return bias;
}

u64 name_of_task(const control::Actor* actor) {
  const ThreadState* thread = thread_list::with_os_id(actor->os_id);
  return thread && thread->context ? abstract_names::of_task(*thread->context->task) : 0;
}

// Where all orders are explored the places change nothing: it is only seen whether what was predicted happens.
void note(ThreadState&, uptr address, usize size, u64 flags, uptr pc) {
  if (!control::active()) return;
  const bool write = (flags & race::kWrite) != 0;
  const u32 sites = control::sites_of_access(*g_steering, pc, write);
  if (sites != 0)
    control::note_for_goal(control::current(), {.op = control::Op::kAccess,
                                                .write = write,
                                                .object = address,
                                                .pc = pc,
                                                .sites = sites,
                                                .size = static_cast<u32>(size)});
}

void choose(ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
  if (!control::active()) return;
  const bool write = (flags & race::kWrite) != 0;
  const u32 sites = control::sites_of_access(*g_steering, pc, write);
  control::Steered& steered = control::current()->steered;
  // Also before the access that follows one at a site: others may come right behind that.
  if (sites == 0 && !steered.stops_next) return;
  steered.stops_next = sites != 0;
  // What was touched before is checked: others see the strand as it is here.
  RuntimeScope scope(thread);
  control::choose({.op = control::Op::kAccess,
                   .write = write,
                   .object = address,
                   .what = "accesses memory",
                   .pc = pc,
                   .sites = sites,
                   .size = static_cast<u32>(size)});
}

}  // namespace

void load(control::Board& board, StopAt instead) {
  g_any = board.steering.places > 0;
  if (!g_any) return;
  g_steering = &board.steering;
  board.steering.bias = bias_of_executable();
  control::name_of_lock = abstract_names::of_lock;
  control::name_of_task = name_of_task;
  stop_at = instead ? instead : board.mode == control::BoardMode::kExplore ? note : choose;
  mode_changed();
  ThreadState& thread = *self();
  if (!thread.stream) forget_marks(thread);
}

void forget_marks(ThreadState& thread) {
  RuntimeScope scope(thread);
  thread.marks_stamped = 0;
}

}  // namespace heddle::places
