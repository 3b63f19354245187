// target constructs run on the host, the only device: data is shared, and a region is a function call by a team of
// one.
#include <stdlib.h>

#include "control/openmp/core.hpp"
#include "control/openmp/parallel.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

// GCC's flags and kinds of mapping.
constexpr unsigned kNowait = 1u << 0;
constexpr unsigned kFirstprivate = 0x0c;

struct Mapping {
  void (*body)(void*);
  usize count;
  void** addresses;
  usize* sizes;
  unsigned short* kinds;
};

bool is_firstprivate(const Mapping& map, usize i) { return (map.kinds[i] & 0xffu) == kFirstprivate; }
usize alignment(const Mapping& map, usize i) { return usize{1} << (map.kinds[i] >> 8); }

// The region's own addresses, then copies of firstprivate data.
struct Copies {
  void** addresses = nullptr;
  usize bytes = 0;
};

Copies copy(const Mapping& map) {
  Copies result;
  result.bytes = map.count * sizeof(void*);
  for (usize i = 0; i < map.count; ++i)
    if (is_firstprivate(map, i)) result.bytes += map.sizes[i] + alignment(map, i);
  if (!result.bytes) return result;
  result.addresses = static_cast<void**>(memory::allocate_unzeroed(result.bytes));
  fresh_memory(result.addresses, result.bytes);
  uptr at = reinterpret_cast<uptr>(result.addresses + map.count);
  for (usize i = 0; i < map.count; ++i) {
    result.addresses[i] = map.addresses[i];
    if (!is_firstprivate(map, i)) continue;
    at = (at + alignment(map, i) - 1) & ~(alignment(map, i) - 1);
    memcpy(reinterpret_cast<void*>(at), map.addresses[i], map.sizes[i]);
    result.addresses[i] = reinterpret_cast<void*>(at);
    at += map.sizes[i];
  }
  return result;
}

// GCC's encoding of clauses: a number with its meaning, or followed by its value.
struct Clauses {
  u32 teams = 1;  // only if known before the region runs
  u32 thread_limit = 0;
};
Clauses read_clauses(void** arguments) {
  constexpr uptr kDevice = 0x7f, kValueFollows = 0x80, kMeaning = 0xff00, kTeams = 0x100,
                 kThreadLimit = 0x200;
  constexpr u32 kValueShift = 16;
  Clauses clauses;
  while (arguments && *arguments) {
    const auto word = reinterpret_cast<uptr>(*arguments++);
    const auto value = static_cast<std::intptr_t>(word & kValueFollows ? reinterpret_cast<uptr>(*arguments++)
                                                                       : word >> kValueShift);
    if ((word & kDevice) != 0) continue;  // not for all devices
    if ((word & kMeaning) == kTeams && value > 1) clauses.teams = static_cast<u32>(value);
    if ((word & kMeaning) == kThreadLimit && value > 0) clauses.thread_limit = static_cast<u32>(value);
  }
  return clauses;
}

// A value that is private to the region, and passed in a register, is private to each team here: each runs the whole
// region.
bool has_values(const Mapping& map) {
  constexpr unsigned kFirstprivateValue = 0x0d;
  for (usize i = 0; i < map.count; ++i)
    if ((map.kinds[i] & 0xffu) == kFirstprivateValue) return true;
  return false;
}

struct TeamsRegion {
  void (*body)(void*);
  void** addresses;
};
void run_team(void* data) {
  auto* region = static_cast<TeamsRegion*>(data);
  region->body(region->addresses);
}

// The teams of a league run concurrently: each runs the region, whose first call says which team it is (GOMP_teams4).
void run_teams(const Mapping& map, void** addresses, const Clauses& clauses, const void* pc) {
  if (has_values(map)) core().assume(control::Assumption::kOwnCopies);
  TeamsRegion region{map.body, addresses};
  run_region({.body = run_team,
              .data = &region,
              .threads = clauses.teams,
              .pc = pc,
              .league = true,
              .thread_limit = clauses.thread_limit});
}

void run(Thread& thread, void (*body)(void*), void** addresses, const void* pc) {
  Team team;
  Member member;
  team.members.push_back(&member);
  team.tool = thread.member->team->tool;
  team.may_take_turns = true;
  member.team = &team;
  member.implicit.team = &team;
  member.implicit.implicit = true;
  member.implicit.parent = thread.task;
  member.implicit.settings = thread.task->settings;
  member.implicit.tool = thread.task->tool;
  Member* outer_member = thread.member;
  Task* outer_task = thread.task;
  thread.member = &member;
  thread.task = &member.implicit;
  // The region's tasks are complete when it ends.
  open_group(thread, pc);
  body(addresses);
  close_group(thread, pc);
  give_turn(thread);
  thread.member = outer_member;
  thread.task = outer_task;
  destroy_depends(&member.implicit);
}

struct Later {
  void (*body)(void*);
  Copies copies;
  const void* pc;
};
void run_later(void* data) {
  Later later = *static_cast<Later*>(data);
  if (later.body) run(self(), later.body, later.copies.addresses, later.pc);
  memory::release(later.copies.addresses, later.copies.bytes);
}

void make_target_task(Thread& thread, const Mapping& map, void** depend, const void* pc) {
  Later later{map.body, copy(map), pc};
  make_task(thread, {.body = run_later,
                     .data = &later,
                     .size = sizeof(later),
                     .align = alignof(Later),
                     .flags = depend ? kDepend : 0u,
                     .depend = depend,
                     .target = true,
                     .pc = pc});
}

[[noreturn]] void no_device() {
  stop("OMP_TARGET_OFFLOAD=mandatory: under the verification runtime the host is the only device");
}

// Data constructs do nothing, but may have to wait.
void data_construct(unsigned flags, void** depend, const void* pc);

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_taskwait_depend(void** depend);

namespace heddle::gomp {
namespace {
void data_construct(unsigned flags, void** depend, const void* pc) {
  if (globals().mandatory_offload) no_device();
  if (!depend) return;
  if (flags & kNowait)
    make_target_task(self(), {}, depend, pc);
  else
    GOMP_taskwait_depend(depend);
}
}  // namespace
}  // namespace heddle::gomp

HEDDLE_GOMP_ENTRY void GOMP_target_ext(int, void (*body)(void*), usize count, void** addresses, usize* sizes,
                                       unsigned short* kinds, unsigned flags, void** depend,
                                       void** arguments) {
  Thread& thread = self();
  if (globals().mandatory_offload) no_device();
  Mapping map{body, count, addresses, sizes, kinds};
  if (flags & kNowait) return make_target_task(thread, map, depend, HEDDLE_GOMP_PC);
  if (depend) GOMP_taskwait_depend(depend);
  Copies copies = copy(map);
  if (const Clauses clauses = read_clauses(arguments); controlled() && clauses.teams > 1)
    run_teams(map, copies.addresses, clauses, HEDDLE_GOMP_PC);
  else
    run(thread, body, copies.addresses, HEDDLE_GOMP_PC);
  memory::release(copies.addresses, copies.bytes);
}
HEDDLE_GOMP_ENTRY void GOMP_target_data_ext(int, usize, void**, usize*, unsigned short*) {
  self();
  if (globals().mandatory_offload) no_device();
}
HEDDLE_GOMP_ENTRY void GOMP_target_end_data() {}
HEDDLE_GOMP_ENTRY void GOMP_target_update_ext(int, usize, void**, usize*, unsigned short*, unsigned flags,
                                              void** depend) {
  data_construct(flags, depend, HEDDLE_GOMP_PC);
}
HEDDLE_GOMP_ENTRY void GOMP_target_enter_exit_data(int, usize, void**, usize*, unsigned short*,
                                                   unsigned flags, void** depend) {
  data_construct(flags, depend, HEDDLE_GOMP_PC);
}
// Code for devices, of which there are none.
HEDDLE_GOMP_ENTRY void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
HEDDLE_GOMP_ENTRY void GOMP_offload_register(const void*, int, const void*) {}
HEDDLE_GOMP_ENTRY void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
HEDDLE_GOMP_ENTRY void GOMP_offload_unregister(const void*, int, const void*) {}

// --- omp_target_*, with the host as the device ----------------------------------------------------------------------

HEDDLE_GOMP_ENTRY void* omp_target_alloc(usize size, int) {
  self();
  void* block = size ? malloc(size) : nullptr;
  if (block) fresh_memory(block, size);
  return block;
}
HEDDLE_GOMP_ENTRY void omp_target_free(void* block, int) { free(block); }
HEDDLE_GOMP_ENTRY int omp_target_is_present(const void*, int) { return 1; }
HEDDLE_GOMP_ENTRY int omp_target_associate_ptr(const void*, const void*, usize, usize, int) {
  constexpr int kInvalid = 22;
  return kInvalid;
}
HEDDLE_GOMP_ENTRY int omp_target_disassociate_ptr(const void*, int) {
  constexpr int kInvalid = 22;
  return kInvalid;
}

namespace {

// A box of up to `dimensions` dimensions, row by row; the innermost is contiguous.
void copy_box(u8* to, const u8* from, usize element, int dimensions, const usize* volume,
              const usize* to_offsets, const usize* from_offsets, const usize* to_dimensions,
              const usize* from_dimensions) {
  if (dimensions == 1) {
    memcpy(to + element * to_offsets[0], from + element * from_offsets[0], element * volume[0]);
    return;
  }
  usize to_slice = element, from_slice = element;
  for (int i = 1; i < dimensions; ++i) {
    to_slice *= to_dimensions[i];
    from_slice *= from_dimensions[i];
  }
  for (usize i = 0; i < volume[0]; ++i)
    copy_box(to + (to_offsets[0] + i) * to_slice, from + (from_offsets[0] + i) * from_slice, element,
             dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1, to_dimensions + 1,
             from_dimensions + 1);
}

}  // namespace

HEDDLE_GOMP_ENTRY int omp_target_memcpy(void* to, const void* from, usize size, usize to_offset,
                                        usize from_offset, int, int) {
  memcpy(static_cast<u8*>(to) + to_offset, static_cast<const u8*>(from) + from_offset, size);
  return 0;
}
HEDDLE_GOMP_ENTRY int omp_target_memcpy_rect(void* to, const void* from, usize element, int dimensions,
                                             const usize* volume, const usize* to_offsets,
                                             const usize* from_offsets, const usize* to_dimensions,
                                             const usize* from_dimensions, int, int) {
  if (!to && !from) return 0x7fffffff;  // queries the maximum number of dimensions
  if (dimensions < 1) return 22;
  copy_box(static_cast<u8*>(to), static_cast<const u8*>(from), element, dimensions, volume, to_offsets,
           from_offsets, to_dimensions, from_dimensions);
  return 0;
}
