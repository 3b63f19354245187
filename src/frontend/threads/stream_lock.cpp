// flockfile: a recursive lock on a stream. The *_unlocked functions are inlined into the program and touch
// the stream's own fields, so without this two threads that take turns properly would seem to race there.
#include <cstdio>

#include "frontend/threads/threads.hpp"

using namespace heddle;

HEDDLE_INTERPOSE(void, flockfile, FILE* stream) {
  real_flockfile(stream);
  threads::locked(HEDDLE_CALLER, stream, LockKind::kOther);
}
HEDDLE_INTERPOSE(int, ftrylockfile, FILE* stream) {
  int result = real_ftrylockfile(stream);
  if (result == 0) threads::locked(HEDDLE_CALLER, stream, LockKind::kOther);
  return result;
}
HEDDLE_INTERPOSE(void, funlockfile, FILE* stream) {
  threads::unlocking(HEDDLE_CALLER, stream);
  real_funlockfile(stream);
}
