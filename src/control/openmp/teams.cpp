// teams on the host: a league of initial threads, one for each team.
#include "control/openmp/core.hpp"
#include "control/openmp/parallel.hpp"

using namespace heddle;
using namespace heddle::gomp;

// Without a clause there is one team, as in libomp.
HEDDLE_GOMP_ENTRY void GOMP_teams_reg(void (*body)(void*), void* data, unsigned teams, unsigned thread_limit,
                                      unsigned) {
  self();
  if (!teams) teams = globals().teams ? globals().teams : 1;
  if (!thread_limit) thread_limit = globals().teams_thread_limit;
  run_region({.body = body,
              .data = data,
              .threads = teams,
              .pc = HEDDLE_GOMP_PC,
              .league = true,
              .thread_limit = thread_limit});
}

// teams inside target: the program calls this repeatedly, to run one team after the other. If the number of teams was
// known before, each member of a league runs the whole region, and is one of them (control/openmp/target.cpp).
HEDDLE_GOMP_ENTRY bool GOMP_teams4(unsigned, unsigned teams, unsigned thread_limit, bool first) {
  Thread& thread = self();
  Team& team = *thread.member->team;
  if (first && thread_limit) thread.task->settings.thread_limit = thread_limit;
  if (team.league) return first;
  if (!first) return ++team.league_number < team.league_size;
  team.league_size = teams ? teams : globals().teams ? globals().teams : 1;
  team.league_number = 0;
  if (controlled() && team.league_size > 1)
    core().give_up_exploring(
        "how many teams a target region has is not known before it runs: they run one after the other");
  return true;
}
HEDDLE_GOMP_ENTRY void GOMP_teams(unsigned teams, unsigned thread_limit) {
  GOMP_teams4(teams, teams, thread_limit, true);
}
