// Atomic operations of oneTBB's headers that order nothing, and yet tell or decide something.
#include "frontend/tbb/mutexes.hpp"
#include "runtime/state/code_classes.hpp"

using namespace heddle;

namespace {

// The right half of a reduction looks whether the left half has ended (then there is one reference left, not two),
// and goes on with its body if so. It may always make a body of its own, and then the tree of bodies does not depend
// on the schedule.
u64 loaded(CodeClass from, u64 value, usize size) {
  return from == CodeClass::kBodyChoice && size == sizeof(int) && value == 1 ? 2 : value;
}

// A reader that is alone becomes the writer by one operation on the mutex, of which no notice tells.
void updated(ThreadState& thread, CodeClass from, uptr object, uptr pc) {
  if (from == CodeClass::kUpgrade) tbb::upgraded(thread, object, pc);
}

}  // namespace

__attribute__((constructor(101))) static void set_hooks() { code::g_library = {loaded, updated}; }
