// Notifications of the headers about synchronisation (TBB_USE_PROFILING_TOOLS, which the wrapper defines). One
// function serves all kinds of objects; the calling code identifies the kind.
#include "frontend/tbb/mutexes.hpp"
#include "frontend/tbb/tasks.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::tbb {
namespace {

void release_or_acquire(ThreadState& thread, Notice notice, uptr object) {
  if (notice != Notice::kReleasing && notice != Notice::kAcquired) return;
  if (notice == Notice::kAcquired && !has_news(thread, object, SyncTable::kOther)) return;
  RuntimeScope scope(thread);
  if (notice == Notice::kReleasing)
    publish(thread, object, SyncTable::kOther);
  else
    await(thread, object, SyncTable::kOther);
}

void notify(ThreadState& thread, Notice notice, uptr object, uptr pc) {
  switch (const CodeClass here = code::here(thread, pc)) {
    case CodeClass::kTree:
    case CodeClass::kBodyChoice:
      if (notice == Notice::kReleasing) released_in_tree(thread);
      if (notice == Notice::kAcquired) acquired_in_tree(thread);
      return;
    case CodeClass::kWait: {
      const CodeClass caller = code::caller(thread, pc);
      const bool ends = caller != CodeClass::kReserve && caller != CodeClass::kTree;
      if (ends && notice == Notice::kReleasing) told(thread, object);
      return;
    }
    case CodeClass::kMutex:
    case CodeClass::kReadLock:
    case CodeClass::kTryLock:
    case CodeClass::kTryReadLock:
    case CodeClass::kScopedLock:
    case CodeClass::kUpgrade:
    case CodeClass::kDowngrade:
      return mutex_notice(thread, notice, object, here, pc);
    case CodeClass::kPerThread:
      claim(thread, race::kNamed);
      return release_or_acquire(thread, notice, object);
    case CodeClass::kScheduler:
    case CodeClass::kContainer:
    case CodeClass::kPut:
      return release_or_acquire(thread, notice, object);
    default:
      return;
  }
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

// Nothing is forwarded: Heddle is the only tool.
HEDDLE_TBB(void, call_itt_notify, "15call_itt_notifyEiPv", int notice, void* object) {
  const uptr pc = HEDDLE_CALLER;
  ThreadState* thread = self();
  if (!thread || !code::g_any || is_runtime_system(origin_of(pc))) return;
  tbb::notify(*thread, static_cast<tbb::Notice>(notice), address_of(object), pc);
}
