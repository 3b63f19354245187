// flockfile: a recursive lock on a stream. The *_unlocked functions are inlined into the program and touch the
// stream's own fields, so without this, correctly locked threads would seem to race there.
#include <cstdio>

#include "frontend/controlled.hpp"
#include "frontend/threads/threads.hpp"

using namespace heddle;

HEDDLE_INTERPOSE(void, flockfile, FILE* stream) {
  if (control::active()) threads::wants(HEDDLE_CALLER, stream, LockKind::kOther);
  if (control::active()) control::acquire(address_of(stream), true, control::kNoDeadline, HEDDLE_CALLER);
  real_flockfile(stream);
  threads::locked(HEDDLE_CALLER, stream, LockKind::kOther);
}
HEDDLE_INTERPOSE(int, ftrylockfile, FILE* stream) {
  if (control::active() && !control::try_acquire(address_of(stream), true, HEDDLE_CALLER)) return -1;
  int result = real_ftrylockfile(stream);
  if (result == 0) threads::locked(HEDDLE_CALLER, stream, LockKind::kOther, order::Mode::kWrite, false);
  return result;
}
HEDDLE_INTERPOSE(void, funlockfile, FILE* stream) {
  threads::unlocking(HEDDLE_CALLER, stream);
  real_funlockfile(stream);
  threads::released(stream);
}
