// Ordered regions and doacross loops: iterations that wait for earlier ones.
#include <stdarg.h>

#include "control/openmp/core.hpp"
#include "control/openmp/worksharing.hpp"

namespace heddle::gomp {
namespace {

struct Turn {
  const Workshare* share;
  u64 chunk;
};
bool has_its_turn(void* data) {
  auto* turn = static_cast<const Turn*>(data);
  return turn->share->turn >= turn->chunk || turn->share->cancelled;
}

struct Sink {
  Workshare* share;
  u64 iteration;
};
bool is_posted(void* data) {
  auto* sink = static_cast<Sink*>(data);
  return sink->share->posted.find(sink->iteration) || sink->share->cancelled;
}

u64 iteration_key(const u64* vector, u32 dimensions) {
  u64 key = dimensions;
  for (u32 i = 0; i < dimensions; ++i) key = mix(key ^ mix(vector[i] + i)) >> 1;
  return key;
}

void tell(Thread& thread, const u64* vector, u32 dimensions, ompt_dependence_type_t type) {
  Vector<ompt_dependence_t> told;
  for (u32 i = 0; i < dimensions; ++i) {
    ompt_dependence_t one{};
    one.variable.value = vector[i];
    one.dependence_type = type;
    told.push_back(one);
  }
  tool().dependences(&thread.task->tool, told.begin(), static_cast<int>(dimensions));
}

void post(const u64* vector) {
  Thread& thread = self();
  Workshare* share = thread.member->share;
  if (!share) return;
  tell(thread, vector, share->loop.dimensions, ompt_dependence_type_source);
  share->posted[iteration_key(vector, share->loop.dimensions)] = 1;
  cut();
}

void await(const u64* vector) {
  Thread& thread = self();
  Workshare* share = thread.member->share;
  Sink sink{share, iteration_key(vector, share->loop.dimensions)};
  wait_until(is_posted, &sink, "waits for an earlier iteration of a doacross loop");
  tell(thread, vector, share->loop.dimensions, ompt_dependence_type_sink);
}

constexpr u32 kMostDimensions = 64;

}  // namespace

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_ordered_start() {
  Thread& thread = self();
  Workshare* share = thread.member->share;
  if (!share) return;
  auto id = reinterpret_cast<ompt_wait_id_t>(share);
  tool().mutex_acquire(ompt_mutex_ordered, 0, 0, id, HEDDLE_GOMP_PC);
  Turn turn{share, thread.member->chunk};
  wait_until(has_its_turn, &turn, "waits for its turn in an ordered region");
  tool().mutex_acquired(ompt_mutex_ordered, id, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_ordered_end() {
  Thread& thread = self();
  Workshare* share = thread.member->share;
  if (!share) return;
  tool().mutex_released(ompt_mutex_ordered, reinterpret_cast<ompt_wait_id_t>(share), HEDDLE_GOMP_PC);
  cut();
}

// GCC gives iterations as numbers from 0 in each dimension.
HEDDLE_GOMP_ENTRY void GOMP_doacross_post(long* vector) { post(reinterpret_cast<u64*>(vector)); }
HEDDLE_GOMP_ENTRY void GOMP_doacross_ull_post(unsigned long long* vector) {
  post(reinterpret_cast<u64*>(vector));
}

#define HEDDLE_GOMP_DOACROSS_WAIT(type)                     \
  u64 vector[kMostDimensions];                              \
  vector[0] = static_cast<u64>(first);                      \
  Workshare* share = self().member->share;                  \
  va_list rest;                                             \
  va_start(rest, first);                                    \
  for (u32 i = 1; share && i < share->loop.dimensions; ++i) \
    vector[i] = static_cast<u64>(va_arg(rest, type));       \
  va_end(rest);                                             \
  if (share) await(vector);

HEDDLE_GOMP_ENTRY void GOMP_doacross_wait(long first, ...){HEDDLE_GOMP_DOACROSS_WAIT(long)} HEDDLE_GOMP_ENTRY
    void GOMP_doacross_ull_wait(unsigned long long first, ...) {
  HEDDLE_GOMP_DOACROSS_WAIT(unsigned long long)
}
