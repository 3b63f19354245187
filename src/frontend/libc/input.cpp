// Input that a program gets without reading a file: random numbers, the environment, its running time. An exploration
// assumes that it is the same in every execution, and names the assumption.
//
// The C library's generators have one state for all threads: the first call gets the first number. So calls of them
// are dependent steps.
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace {

using namespace heddle;

// libstdc++ makes calls of its own, which change nothing.
void comes_from_outside(uptr caller) {
  if (control::active() && participant(caller) && origin_of(caller) == Origin::kProgram)
    control::assume(control::Assumption::kInput);
}

void uses_generator(uptr caller) {
  if (!control::active() || !participant(caller)) return;
  control::assume(control::Assumption::kInput);
  static const char generators = 0;
  if (control::explores())
    control::choose({.op = control::Op::kChoice,
                     .object = reinterpret_cast<uptr>(&generators),
                     .what = "asks for a random number",
                     .pc = caller});
}

}  // namespace

#define HEDDLE_GENERATOR(result, name) \
  HEDDLE_INTERPOSE(result, name) {     \
    uses_generator(HEDDLE_CALLER);     \
    return real_##name();              \
  }
HEDDLE_GENERATOR(int, rand)
HEDDLE_GENERATOR(long, random)
HEDDLE_GENERATOR(double, drand48)
HEDDLE_GENERATOR(long, lrand48)
HEDDLE_GENERATOR(long, mrand48)
HEDDLE_INTERPOSE(void, srand, unsigned seed) {
  uses_generator(HEDDLE_CALLER);
  real_srand(seed);
}
HEDDLE_INTERPOSE(void, srandom, unsigned seed) {
  uses_generator(HEDDLE_CALLER);
  real_srandom(seed);
}
HEDDLE_INTERPOSE(void, srand48, long seed) {
  uses_generator(HEDDLE_CALLER);
  real_srand48(seed);
}

HEDDLE_INTERPOSE(ssize_t, getrandom, void* buffer, size_t size, unsigned flags) {
  comes_from_outside(HEDDLE_CALLER);
  return real_getrandom(buffer, size, flags);
}
HEDDLE_INTERPOSE(int, getentropy, void* buffer, size_t size) {
  comes_from_outside(HEDDLE_CALLER);
  return real_getentropy(buffer, size);
}
HEDDLE_INTERPOSE(unsigned, arc4random) {
  comes_from_outside(HEDDLE_CALLER);
  return real_arc4random();
}
// std::random_device::operator()
HEDDLE_INTERPOSE(unsigned, _ZNSt13random_device9_M_getvalEv, void* device) {
  comes_from_outside(HEDDLE_CALLER);
  return real__ZNSt13random_device9_M_getvalEv(device);
}

HEDDLE_INTERPOSE(char*, getenv, const char* name) {
  comes_from_outside(HEDDLE_CALLER);
  return real_getenv(name);
}
HEDDLE_INTERPOSE(char*, secure_getenv, const char* name) {
  comes_from_outside(HEDDLE_CALLER);
  return real_secure_getenv(name);
}
HEDDLE_INTERPOSE(clock_t, clock) {
  comes_from_outside(HEDDLE_CALLER);
  return real_clock();
}
