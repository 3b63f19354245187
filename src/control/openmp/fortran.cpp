// gfortran's names of the OpenMP functions: arguments by reference, strings with their lengths. Names that end in _8_
// take integers of eight bytes.
#include "control/openmp/state.hpp"

using heddle::uptr;
using heddle::usize;

#define HEDDLE_GET(type, name) \
  extern "C" type name();      \
  HEDDLE_GOMP_ENTRY type name##_() { return name(); }
#define HEDDLE_SET(name)                                             \
  extern "C" void name(int);                                         \
  HEDDLE_GOMP_ENTRY void name##_(const int* value) { name(*value); } \
  HEDDLE_GOMP_ENTRY void name##_8_(const long* value) { name(static_cast<int>(*value)); }
#define HEDDLE_ASK(name)                                                   \
  extern "C" int name(int);                                                \
  HEDDLE_GOMP_ENTRY int name##_(const int* value) { return name(*value); } \
  HEDDLE_GOMP_ENTRY int name##_8_(const long* value) { return name(static_cast<int>(*value)); }
#define HEDDLE_LOCK(type, name) \
  extern "C" type name(void*);  \
  HEDDLE_GOMP_ENTRY type name##_(void* lock) { return name(lock); }
#define HEDDLE_LOCK_HINT(name)           \
  extern "C" void name(void*, unsigned); \
  HEDDLE_GOMP_ENTRY void name##_(void* lock, const unsigned* hint) { name(lock, *hint); }

HEDDLE_GET(int, omp_get_thread_num)
HEDDLE_GET(int, omp_get_num_threads)
HEDDLE_GET(int, omp_get_max_threads)
HEDDLE_GET(int, omp_get_num_procs)
HEDDLE_GET(int, omp_in_parallel)
HEDDLE_GET(int, omp_get_dynamic)
HEDDLE_GET(int, omp_get_nested)
HEDDLE_GET(int, omp_get_thread_limit)
HEDDLE_GET(int, omp_get_max_active_levels)
HEDDLE_GET(int, omp_get_supported_active_levels)
HEDDLE_GET(int, omp_get_level)
HEDDLE_GET(int, omp_get_active_level)
HEDDLE_GET(int, omp_in_final)
HEDDLE_GET(int, omp_in_explicit_task)
HEDDLE_GET(int, omp_get_max_task_priority)
HEDDLE_GET(int, omp_get_cancellation)
HEDDLE_GET(int, omp_get_num_teams)
HEDDLE_GET(int, omp_get_team_num)
HEDDLE_GET(int, omp_get_max_teams)
HEDDLE_GET(int, omp_get_teams_thread_limit)
HEDDLE_GET(int, omp_get_default_device)
HEDDLE_GET(int, omp_get_num_devices)
HEDDLE_GET(int, omp_get_initial_device)
HEDDLE_GET(int, omp_get_device_num)
HEDDLE_GET(int, omp_is_initial_device)
HEDDLE_GET(int, omp_get_proc_bind)
HEDDLE_GET(int, omp_get_num_places)
HEDDLE_GET(int, omp_get_place_num)
HEDDLE_GET(int, omp_get_partition_num_places)
HEDDLE_GET(double, omp_get_wtime)
HEDDLE_GET(double, omp_get_wtick)
HEDDLE_GET(uptr, omp_get_default_allocator)

HEDDLE_SET(omp_set_num_threads)
HEDDLE_SET(omp_set_dynamic)
HEDDLE_SET(omp_set_nested)
HEDDLE_SET(omp_set_max_active_levels)
HEDDLE_SET(omp_set_num_teams)
HEDDLE_SET(omp_set_teams_thread_limit)
HEDDLE_SET(omp_set_default_device)
HEDDLE_SET(omp_display_env)
HEDDLE_ASK(omp_get_ancestor_thread_num)
HEDDLE_ASK(omp_get_team_size)
HEDDLE_ASK(omp_get_place_num_procs)

HEDDLE_LOCK(void, omp_init_lock)
HEDDLE_LOCK(void, omp_destroy_lock)
HEDDLE_LOCK(void, omp_set_lock)
HEDDLE_LOCK(void, omp_unset_lock)
HEDDLE_LOCK(int, omp_test_lock)
HEDDLE_LOCK(void, omp_init_nest_lock)
HEDDLE_LOCK(void, omp_destroy_nest_lock)
HEDDLE_LOCK(void, omp_set_nest_lock)
HEDDLE_LOCK(void, omp_unset_nest_lock)
HEDDLE_LOCK(int, omp_test_nest_lock)
HEDDLE_LOCK_HINT(omp_init_lock_with_hint)
HEDDLE_LOCK_HINT(omp_init_nest_lock_with_hint)

extern "C" {
void omp_set_schedule(unsigned, int);
void omp_get_schedule(unsigned*, int*);
void omp_get_place_proc_ids(int, int*);
void omp_get_partition_place_nums(int*);
int omp_pause_resource(int, int);
int omp_pause_resource_all(int);
void omp_fulfill_event(uptr);
void omp_set_default_allocator(uptr);
void omp_destroy_allocator(uptr);
}

HEDDLE_GOMP_ENTRY void omp_set_schedule_(const unsigned* kind, const int* chunk) {
  omp_set_schedule(*kind, *chunk);
}
HEDDLE_GOMP_ENTRY void omp_set_schedule_8_(const unsigned* kind, const long* chunk) {
  omp_set_schedule(*kind, static_cast<int>(*chunk));
}
HEDDLE_GOMP_ENTRY void omp_get_schedule_(unsigned* kind, int* chunk) { omp_get_schedule(kind, chunk); }
HEDDLE_GOMP_ENTRY void omp_get_schedule_8_(unsigned* kind, long* chunk) {
  int value;
  omp_get_schedule(kind, &value);
  *chunk = value;
}
HEDDLE_GOMP_ENTRY void omp_get_place_proc_ids_(const int* place, int* ids) {
  omp_get_place_proc_ids(*place, ids);
}
HEDDLE_GOMP_ENTRY void omp_get_partition_place_nums_(int* places) { omp_get_partition_place_nums(places); }
HEDDLE_GOMP_ENTRY int omp_pause_resource_(const int* kind, const int* device) {
  return omp_pause_resource(*kind, *device);
}
HEDDLE_GOMP_ENTRY int omp_pause_resource_all_(const int* kind) { return omp_pause_resource_all(*kind); }
HEDDLE_GOMP_ENTRY void omp_fulfill_event_(const uptr* event) { omp_fulfill_event(*event); }
HEDDLE_GOMP_ENTRY void omp_set_default_allocator_(const uptr* allocator) {
  omp_set_default_allocator(*allocator);
}
HEDDLE_GOMP_ENTRY void omp_destroy_allocator_(const uptr* allocator) { omp_destroy_allocator(*allocator); }
