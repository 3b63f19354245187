#include "control/table.hpp"

#include "control/guided.hpp"

namespace heddle::control {

__thread uptr t_asks_at __attribute__((tls_model("initial-exec"))) = 0;

namespace {

uptr in_program(uptr pc) { return t_asks_at ? t_asks_at : pc; }

Outcome choose_there(const Pending& pending) {
  Pending there = pending;
  there.pc = in_program(pending.pc);
  return choose(there);
}
Outcome acquire_there(uptr lock, bool write, u64 deadline, uptr pc) {
  return acquire(lock, write, deadline, in_program(pc));
}
bool try_acquire_there(uptr lock, bool write, uptr pc) { return try_acquire(lock, write, in_program(pc)); }

const Table kTable{Table::kVersion,
                   on,
                   active,
                   explores,
                   choose_there,
                   cut,
                   yield,
                   looked,
                   changed,
                   now,
                   create,
                   begin,
                   end,
                   withdraw,
                   current,
                   ended,
                   number,
                   acquire_there,
                   try_acquire_there,
                   release,
                   available,
                   times_held,
                   gained,
                   forget,
                   leave_baton,
                   take_baton,
                   logical_threads,
                   prepare,
                   follows_names,
                   start_when_chosen,
                   assume,
                   give_up_exploring};

}  // namespace
}  // namespace heddle::control

extern "C" __attribute__((visibility("default"))) const heddle::control::Table* __heddle_control() {
  return &heddle::control::kTable;
}
