// Atomic operations of oneTBB's headers that order nothing, but carry or decide something.
#include "frontend/tbb/mutexes.hpp"
#include "runtime/state/code_classes.hpp"

using namespace heddle;

namespace {

// The right half of a reduction checks whether the left half has ended (then one reference is left, not two), and
// continues with its body if so. It may always create a body of its own, and then the tree of bodies does not depend
// on the schedule.
u64 loaded(CodeClass from, u64 value, usize size) {
  return from == CodeClass::kBodyChoice && size == sizeof(int) && value == 1 ? 2 : value;
}

// A reader that is alone becomes the writer by one operation on the mutex, without a notification.
void updated(ThreadState& thread, CodeClass from, uptr object, uptr pc) {
  if (from == CodeClass::kUpgrade) tbb::upgraded(thread, object, pc);
}

}  // namespace

__attribute__((constructor(101))) static void set_hooks() { code::g_library = {loaded, updated}; }
