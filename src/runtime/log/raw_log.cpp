#include "runtime/log/raw_log.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/control.hpp"
#include "runtime/log/findings.hpp"
#include "runtime/log/parts.hpp"
#include "runtime/state/process.hpp"

namespace heddle::raw_log {
namespace {

std::atomic<bool> g_closed{false};

constexpr u32 kMostParts = 8;
AtClose g_part[kMostParts];
u32 g_parts = 0;

}  // namespace

void open() { open_file(); }

void at_close(const AtClose& part) {
  HEDDLE_CHECK(g_parts < kMostParts);
  g_part[g_parts++] = part;
}

void mute() {
  g_closed.store(true);
  close_file();
}

void note_modules() {
  SpinGuard guard(g_lock);
  if (ready()) write_modules();
}

void not_analysed(const char* text) {
  SpinGuard guard(g_lock);
  if (ready()) Line(g_usual, "not analysed").raw(",\"text\":").text(text);
}

// Most children become another program at once: the log gets a line when there is something to write.
void begin_child(ThreadState& thread) {
  begin_process(false);
  forget_findings(thread);
  forget_written_tasks();
}

// The child has one thread, and the lock may have been another's.
void leave_child_out() {
  begin_process(true);
  if (ready()) Line(g_last, "fork");
}
void child_executes() {
  if (ready()) Line(g_last, "exec");
}

void warning(const char* text) {
  if (ready()) Line(g_last, "warning").raw(",\"text\":").text(text);
}

namespace {

void say(const char* text) { system_call(SYS_write, STDERR_FILENO, text, length(text)); }

void hint_at_tool() {
  const Found all = found();
  if (!all.races && !all.deadlocks) return;
  say(all.certain_races ? "heddle: races were found"
      : all.races       ? "heddle: races are predicted, none was certain in this run"
                        : "heddle: potential deadlocks were found");
  say("; start the program with `heddle run` to see them\n");
}

void write_stats(u64 racing_accesses) {
  struct rusage usage = {};
  system_call(SYS_getrusage, RUSAGE_SELF, &usage);
  Line line(g_last, "stats");
  line.raw(",\"tasks\":")
      .number(rt().order.task_count())
      .raw(",\"threads\":")
      .number(rt().threads.load())
      .raw(",\"call stacks\":")
      .number(rt().stacks.count())
      .raw(",\"locksets\":")
      .number(rt().locksets.count())
      .raw(",\"racing pairs of program counters\":")
      .number(found().races)
      .raw(",\"racing pairs of accesses\":")
      .number(racing_accesses)
      .raw(",\"analysis memory KiB\":")
      .number(memory::mapped_bytes() / 1024);
  for (u32 i = 0; i < g_parts; ++i)
    if (g_part[i].add_figures) g_part[i].add_figures(line);
  // Under the verification runtime a report is the same in every run; how much the kernel gave is not.
  if (!control::on()) line.raw(",\"peak memory KiB\":").number(static_cast<u64>(usage.ru_maxrss));
}

}  // namespace

void close(const char* reason) {
  if (!g_runtime || !g_runtime->enabled || g_closed.exchange(true)) return;
  const bool becomes_another = reason[0] == 'e' && reason[1] == 'x' && reason[2] == 'e';
  ThreadState* thread = self();
  const bool was_active = thread && thread->active;
  for (u32 i = 0; i < g_parts; ++i)
    if (g_part[i].flush) g_part[i].flush();
  if (thread) thread->active = false;
  if (descriptor() < 0) return hint_at_tool();
  if ((is_new_process() && becomes_another) || !ready()) return;
  u64 racing_accesses = 0;
  if (g_lock.lock_or_give_up()) {
    racing_accesses = write_hits();
    g_lock.unlock();
  }
  write_stats(racing_accesses);
  for (u32 i = 0; i < g_parts; ++i)
    if (g_part[i].warn) g_part[i].warn();
  if (rt().locksets.overflowed())
    warning("more than a million different sets of held locks: some accesses count as unprotected");
  Line(g_last, "end").raw(",\"reason\":").text(reason);
  if (thread) thread->active = was_active;
}

}  // namespace heddle::raw_log
