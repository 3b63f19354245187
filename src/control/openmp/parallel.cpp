#include "control/openmp/parallel.hpp"

#include "control/openmp/barrier.hpp"
#include "control/openmp/core.hpp"
#include "control/openmp/pool.hpp"
#include "control/openmp/reductions.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

// The data of the members of a region, on the forker's stack.
struct Running {
  Team team;
  const Region* region;
};

u32 team_size(const Thread& thread, const Region& region) {
  const Settings& settings = thread.task->settings;
  const Team* team = thread.member->team;
  if (!controlled() || region.threads == 1) return 1;
  if (region.league) return region.threads;
  if (team->active_level >= settings.max_active_levels) return 1;
  u32 size = region.threads ? region.threads : settings.threads;
  return size < settings.thread_limit ? size : settings.thread_limit;
}

void set_up(Thread& thread, Running& running, u32 size) {
  Team& team = running.team;
  const Team* outer = thread.member->team;
  team.size = size;
  team.forker = thread.member;
  team.league = running.region->league;
  // A league is no parallel region: nesting levels inside it count from its start.
  team.level = team.league ? 0 : outer->level + 1;
  team.active_level = team.league ? 0 : outer->active_level + (size > 1);
  if (!team.league) {
    team.league_size = outer->league ? outer->size : outer->league_size;
    team.league_number = outer->league ? thread.member->number : outer->league_number;
  }
  for (u32 i = 0; i < size; ++i) {
    auto* member = memory::make<Member>();
    member->team = &team;
    member->number = i;
    Task& task = member->implicit;
    task.team = &team;
    task.parent = thread.task;
    task.implicit = true;
    task.settings = thread.task->settings;
    if (running.region->thread_limit) task.settings.thread_limit = running.region->thread_limit;
    if (!team.league && ++task.settings.depth < globals().threads_count)
      task.settings.threads = globals().threads[task.settings.depth];
    if (running.region->reductions) {
      member->region_group.reductions = running.region->reductions;
      task.group = &member->region_group;
    }
    team.members.push_back(member);
  }
}

// The forker waits for all others, then for the tasks that they have left.
bool region_is_done(const Wait& wait) {
  auto& team = *static_cast<const Team*>(wait.subject);
  return team.gone == team.size - 1 && team.unfinished_tasks == 0;
}
bool nothing_to_run(const Wait& wait) { return !runnable(*wait.queue, wait.link); }

// The barrier at the end. A member without work there may leave at once, because the forker stays.
void finish(Thread& thread, Team& team, const void* pc) {
  ompt_sync_region_t kind =
      team.league ? ompt_sync_region_barrier_teams : ompt_sync_region_barrier_implicit_parallel;
  tool_sync(kind, ompt_scope_begin, thread, pc);
  tool_wait(kind, ompt_scope_begin, thread, pc);
  bool forker = thread.member->number == 0;
  Wait wait{.is_over = forker ? region_is_done : nothing_to_run,
            .subject = &team,
            .queue = &team.ready,
            .link = Link::kTeam};
  work_until_over(thread, wait, "waits at the end of a parallel region");
  tool_wait(kind, ompt_scope_end, thread, pc, true);
  tool_sync(kind, ompt_scope_end, thread, pc, true);
}

void be_member(Thread& thread, Member& member) {
  Running& running = *reinterpret_cast<Running*>(member.team);
  const Region& region = *running.region;
  member.outer = thread.member;
  member.tool_number = stand_in(0);
  Task* outer_task = thread.task;
  thread.member = &member;
  thread.task = &member.implicit;
  Team& team = running.team;
  tool().implicit_task(ompt_scope_begin, &team.tool, &member.implicit.tool, team.size, member.number,
                       team.league ? ompt_task_initial : ompt_task_implicit);
  cut();
  if (region.loop) begin_loop(thread, *region.loop);
  region.body(region.data);
  finish(thread, team, region.pc);
  tool().implicit_task(ompt_scope_end, nullptr, &member.implicit.tool, 0, member.number,
                       team.league ? ompt_task_initial : ompt_task_implicit);
  cut();
  destroy_depends(&member.implicit);
  thread.member = member.outer;
  thread.task = outer_task;
  if (member.number) ++team.gone;
}

void destroy_team(Team& team) {
  team.shares.for_each([](u64, Workshare* share) { destroy_share(share); });
  for (Member* member : team.members) memory::destroy(member);
}

}  // namespace

u32 run_region(const Region& region) {
  Thread& thread = self();
  prepare();
  Running running{.team = {}, .region = &region};
  Team& team = running.team;
  u32 size = team_size(thread, region);
  if (region.reductions) allocate_reductions(region.reductions, size);
  set_up(thread, running, size);
  ompt_frame_t frame{};
  frame.enter_frame.ptr = __builtin_frame_address(0);  // the body's frames will be below
  int kind = (region.league ? ompt_parallel_league : ompt_parallel_team) | ompt_parallel_invoker_program;
  tool().parallel_begin(&thread.task->tool, &frame, &team.tool, region.threads ? region.threads : size, kind,
                        region.pc);
  if (size > 1) start_members(thread, team, be_member);
  cut();
  ++thread.depth;
  be_member(thread, *team.members[0]);
  --thread.depth;
  tool().parallel_end(&team.tool, &thread.task->tool, kind, region.pc);
  destroy_team(team);
  return size;
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned) {
  run_region({.body = body, .data = data, .threads = threads, .pc = HEDDLE_GOMP_PC});
}
HEDDLE_GOMP_ENTRY unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads,
                                                    unsigned) {
  return run_region({.body = body,
                     .data = data,
                     .threads = threads,
                     .pc = HEDDLE_GOMP_PC,
                     .reductions = *static_cast<uptr**>(data)});
}
