#include "control/openmp/environment.hpp"

#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/openmp/text.hpp"

namespace heddle::gomp {
namespace {

Globals g_globals;

bool flag(const char* name, bool otherwise) {
  Reader text(environment(name));
  if (text.word("true") || text.word("1")) return true;
  if (text.word("false") || text.word("0")) return false;
  return otherwise;
}

long number(const char* name, long otherwise, long least) {
  Reader text(environment(name));
  long value;
  return text.number(value) && value >= least && text.end() ? value : otherwise;
}

void read_threads(Globals& all) {
  Reader text(environment("OMP_NUM_THREADS"));
  long value;
  while (all.threads_count < Globals::kMostLevels && text.number(value) && value > 0) {
    all.threads[all.threads_count++] = static_cast<u32>(value);
    if (!text.mark(',')) break;
  }
}

void read_schedule(Settings& settings) {
  Reader text(environment("OMP_SCHEDULE"));
  if (text.word("monotonic") && text.mark(':'))
    settings.modifier = kMonotonic;
  else if (text.word("nonmonotonic"))
    text.mark(':');
  struct {
    const char* word;
    Schedule kind;
  } kinds[] = {{"static", Schedule::kStatic},
               {"dynamic", Schedule::kDynamic},
               {"guided", Schedule::kGuided},
               {"auto", Schedule::kAuto}};
  for (auto& kind : kinds) {
    if (!text.word(kind.word)) continue;
    settings.schedule = kind.kind;
    settings.chunk = kind.kind == Schedule::kStatic || kind.kind == Schedule::kAuto ? 0 : 1;
    long chunk;
    if (text.mark(',') && text.number(chunk) && chunk > 0) settings.chunk = chunk;
    return;
  }
}

void read_proc_bind(Globals& all) {
  Reader text(environment("OMP_PROC_BIND"));
  const char* words[] = {"false", "true", "primary", "close", "spread"};
  for (int i = 0; i < 5; ++i)
    if (text.word(words[i])) all.proc_bind = i;
  if (text.word("master")) all.proc_bind = 2;
}

// The number of nested active levels. More than one value in OMP_NUM_THREADS or OMP_PROC_BIND enables nesting, as the
// deprecated OMP_NESTED does.
u32 active_levels(const Globals& all) {
  u32 by_default = all.threads_count > 1 || flag("OMP_NESTED", false) ? kNoLimit : 1;
  return static_cast<u32>(number("OMP_MAX_ACTIVE_LEVELS", by_default, 0));
}

}  // namespace

Globals& globals() { return g_globals; }

u32 processors() {
  static u32 known = 0;
  if (known) return known;
  unsigned long mask[128] = {};
  long bytes = system_call(SYS_sched_getaffinity, 0, sizeof(mask), reinterpret_cast<long>(mask));
  for (long i = 0; i < bytes / 8; ++i) known += static_cast<u32>(__builtin_popcountl(mask[i]));
  return known = known ? known : 1;
}

void read_environment(u32 threads) {
  Globals& all = g_globals;
  read_threads(all);
  Settings& settings = all.initial;
  settings.max_active_levels = active_levels(all);
  if (threads) {
    all.threads[0] = threads;
    all.threads_count = 1;
  }
  settings.threads = all.threads_count ? all.threads[0] : processors();
  settings.dynamic = flag("OMP_DYNAMIC", false);
  settings.thread_limit = static_cast<u32>(number("OMP_THREAD_LIMIT", kNoLimit, 1));
  settings.default_device = static_cast<int>(number("OMP_DEFAULT_DEVICE", 0, 0));
  read_schedule(settings);
  read_proc_bind(all);
  all.cancellation = flag("OMP_CANCELLATION", false);
  all.max_task_priority = static_cast<int>(number("OMP_MAX_TASK_PRIORITY", 0, 0));
  all.teams = static_cast<u32>(number("OMP_NUM_TEAMS", 0, 0));
  all.teams_thread_limit = static_cast<u32>(number("OMP_TEAMS_THREAD_LIMIT", 0, 0));
  Reader offload(environment("OMP_TARGET_OFFLOAD"));
  all.mandatory_offload = offload.word("mandatory");
}

}  // namespace heddle::gomp
