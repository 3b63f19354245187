// Queries and settings: omp_get_*, omp_set_*.
#include "base/system_call.hpp"
#include "control/openmp/core.hpp"

namespace heddle::gomp {
namespace {

// For the program, a member of a league is the only thread of its team.
const Team& team() { return *self().member->team; }
u32 size_of(const Team& team) { return team.league ? 1 : team.size; }
u32 number_of(const Member& member) { return member.team->league ? 0 : member.number; }

// The thread's member, or its ancestor's, at that level; null if there is none.
const Member* member_at(int level) {
  const Member* member = self().member;
  if (level < 0 || level > static_cast<int>(member->team->level)) return nullptr;
  while (static_cast<int>(member->team->level) > level) member = member->team->forker;
  return member;
}

Settings& settings() { return self().task->settings; }

double seconds(long nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

constexpr u32 kSupportedLevels = kNoLimit;

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

// --- threads --------------------------------------------------------------------------------------------------------

// Any thread may run an explicit task: for the program, it is always the one that created the task.
HEDDLE_GOMP_ENTRY int omp_get_thread_num() {
  const Thread& thread = self();
  if (controlled() && !thread.task->implicit && thread.member->team->size > 1)
    core().assume(control::Assumption::kThreadNumbers);
  return static_cast<int>(number_of(*thread.member));
}
HEDDLE_GOMP_ENTRY int omp_get_num_threads() { return static_cast<int>(size_of(team())); }
HEDDLE_GOMP_ENTRY int omp_get_max_threads() {
  Settings& all = settings();
  return static_cast<int>(all.threads < all.thread_limit ? all.threads : all.thread_limit);
}
HEDDLE_GOMP_ENTRY void omp_set_num_threads(int threads) {
  settings().threads = threads > 0 ? static_cast<u32>(threads) : 1;
}
HEDDLE_GOMP_ENTRY int omp_get_num_procs() { return static_cast<int>(processors()); }
HEDDLE_GOMP_ENTRY int omp_in_parallel() { return team().active_level > 0; }
HEDDLE_GOMP_ENTRY void omp_set_dynamic(int on) { settings().dynamic = on != 0; }
HEDDLE_GOMP_ENTRY int omp_get_dynamic() { return settings().dynamic; }
HEDDLE_GOMP_ENTRY int omp_get_thread_limit() { return static_cast<int>(settings().thread_limit); }

// --- nesting --------------------------------------------------------------------------------------------------------

HEDDLE_GOMP_ENTRY void omp_set_nested(int on) { settings().max_active_levels = on ? kSupportedLevels : 1; }
HEDDLE_GOMP_ENTRY int omp_get_nested() { return settings().max_active_levels > 1; }
HEDDLE_GOMP_ENTRY void omp_set_max_active_levels(int levels) {
  if (levels >= 0) settings().max_active_levels = static_cast<u32>(levels);
}
HEDDLE_GOMP_ENTRY int omp_get_max_active_levels() { return static_cast<int>(settings().max_active_levels); }
HEDDLE_GOMP_ENTRY int omp_get_supported_active_levels() { return static_cast<int>(kSupportedLevels); }
HEDDLE_GOMP_ENTRY int omp_get_level() { return static_cast<int>(team().level); }
HEDDLE_GOMP_ENTRY int omp_get_active_level() { return static_cast<int>(team().active_level); }
HEDDLE_GOMP_ENTRY int omp_get_ancestor_thread_num(int level) {
  const Member* member = member_at(level);
  return member ? static_cast<int>(number_of(*member)) : -1;
}
HEDDLE_GOMP_ENTRY int omp_get_team_size(int level) {
  const Member* member = member_at(level);
  return member ? static_cast<int>(size_of(*member->team)) : -1;
}

// --- loops, tasks ---------------------------------------------------------------------------------------------------

HEDDLE_GOMP_ENTRY void omp_set_schedule(unsigned kind, int chunk) {
  Settings& all = settings();
  all.modifier = kind & kMonotonic;
  kind &= ~kMonotonic;
  if (kind < 1 || kind > 4) return;
  all.schedule = static_cast<Schedule>(kind);
  bool needs_chunk = all.schedule == Schedule::kDynamic || all.schedule == Schedule::kGuided;
  all.chunk = all.schedule == Schedule::kAuto ? 0 : chunk > 0 ? chunk : needs_chunk;
}
HEDDLE_GOMP_ENTRY void omp_get_schedule(unsigned* kind, int* chunk) {
  *kind = static_cast<unsigned>(settings().schedule) | settings().modifier;
  *chunk = static_cast<int>(settings().chunk);
}
HEDDLE_GOMP_ENTRY int omp_in_final() { return self().task->final; }
HEDDLE_GOMP_ENTRY int omp_in_explicit_task() { return !self().task->implicit; }
HEDDLE_GOMP_ENTRY int omp_get_max_task_priority() {
  self();
  return globals().max_task_priority;
}
HEDDLE_GOMP_ENTRY int omp_get_cancellation() {
  self();
  return globals().cancellation;
}

// --- teams, devices -------------------------------------------------------------------------------------------------

HEDDLE_GOMP_ENTRY int omp_get_num_teams() {
  return static_cast<int>(team().league ? team().size : team().league_size);
}
HEDDLE_GOMP_ENTRY int omp_get_team_num() {
  return static_cast<int>(team().league ? self().member->number : team().league_number);
}
HEDDLE_GOMP_ENTRY void omp_set_num_teams(int teams) {
  self();
  if (teams > 0) globals().teams = static_cast<u32>(teams);
}
HEDDLE_GOMP_ENTRY int omp_get_max_teams() {
  self();
  return static_cast<int>(globals().teams);
}
HEDDLE_GOMP_ENTRY void omp_set_teams_thread_limit(int limit) {
  self();
  if (limit > 0) globals().teams_thread_limit = static_cast<u32>(limit);
}
HEDDLE_GOMP_ENTRY int omp_get_teams_thread_limit() {
  self();
  return static_cast<int>(globals().teams_thread_limit);
}
HEDDLE_GOMP_ENTRY void omp_set_default_device(int device) { settings().default_device = device; }
HEDDLE_GOMP_ENTRY int omp_get_default_device() { return settings().default_device; }
HEDDLE_GOMP_ENTRY int omp_get_num_devices() { return 0; }
HEDDLE_GOMP_ENTRY int omp_get_initial_device() { return 0; }
HEDDLE_GOMP_ENTRY int omp_get_device_num() { return 0; }
HEDDLE_GOMP_ENTRY int omp_is_initial_device() { return 1; }
HEDDLE_GOMP_ENTRY int omp_pause_resource(int, int) { return 0; }
HEDDLE_GOMP_ENTRY int omp_pause_resource_all(int) { return 0; }
HEDDLE_GOMP_ENTRY int omp_control_tool(int, int, void*) {
  constexpr int kNoTool = -2;
  return kNoTool;
}

// --- time -----------------------------------------------------------------------------------------------------------

// Virtual time: the same in every run.
HEDDLE_GOMP_ENTRY double omp_get_wtime() {
  self();
  if (controlled()) {
    core().assume(control::Assumption::kClocks);
    return seconds(static_cast<long>(core().now()));
  }
  timespec now{};
  constexpr long kMonotonicClock = 1;
  system_call(SYS_clock_gettime, kMonotonicClock, reinterpret_cast<long>(&now));
  return static_cast<double>(now.tv_sec) + seconds(now.tv_nsec);
}
HEDDLE_GOMP_ENTRY double omp_get_wtick() { return 1e-9; }

// --- what is only printed -------------------------------------------------------------------------------------------

HEDDLE_GOMP_ENTRY void omp_display_env(int) {
  constexpr char kText[] =
      "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n  [host] Heddle's verification runtime\n"
      "OPENMP DISPLAY ENVIRONMENT END\n";
  constexpr long kStandardError = 2;
  system_call(SYS_write, kStandardError, reinterpret_cast<long>(kText), sizeof(kText) - 1);
}
