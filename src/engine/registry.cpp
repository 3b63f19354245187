#include "engine/atomicity/atomicity.hpp"
#include "engine/cg/cg.hpp"
#include "engine/deadlock/deadlock.hpp"
#include "engine/dpst/dpst.hpp"
#include "engine/engine.hpp"
#include "engine/fasttrack/fasttrack.hpp"
#include "engine/lockset/lockset.hpp"
#include "engine/tlc/tlc.hpp"
#include "engine/velodrome/velodrome.hpp"
#include "engine/zipper/zipper.hpp"

namespace heddle::engine {

const std::vector<EngineKind>& engines() {
  static const std::vector<EngineKind> kinds = {
      {"dpst", "Heddle's own: structure of tasks, locksets, lock order as evidence", make_dpst},
      {"cg", "computation graph with read and write sets, checked at the end", make_cg},
      {"zipper", "computation graph with sync maps, checked on the fly", make_zipper},
      {"fasttrack", "epochs and adaptive read vectors", make_fasttrack},
      {"tlc", "threads' clocks with a window of concurrency on the own thread; misses some", make_tlc},
      {"lockset", "hybrid: structure of tasks and common locks, whatever the lock order", make_lockset},
      {"atomicity", "accesses of one step that another can come between, in any schedule", make_atomicity,
       EngineKind::kViolations},
      {"velodrome", "steps that this schedule lets interfere with each other", make_velodrome,
       EngineKind::kViolations},
      {"deadlock", "locks in different orders, so that tasks can wait for each other in some schedule",
       make_deadlock, EngineKind::kDeadlocks},
  };
  return kinds;
}

const EngineKind* find_engine(std::string_view name) {
  for (const EngineKind& kind : engines())
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace heddle::engine
