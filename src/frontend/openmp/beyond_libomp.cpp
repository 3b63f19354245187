// Entry points that GCC's code calls and libomp lacks, so that such programs can be linked. The verification runtime
// has them (src/control/openmp); a normal run reports that they are missing.
#include "base/check.hpp"
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace {

[[noreturn]] void missing() {
  heddle::fatal(
      "the program uses a construct of OpenMP for which LLVM's libomp has no entry point (GCC's target, "
      "scope with task reductions, "
      "error at(execution)): compile it with clang, or use heddle run --serial");
}

}  // namespace

// A function of that name and type that forwards to the runtime's.
#define HEDDLE_BEYOND(result, name, parameters, ...) \
  HEDDLE_ENTRY result name parameters {              \
    HEDDLE_FIND_REAL(name);                          \
    if (!real) missing();                            \
    return real(__VA_ARGS__);                        \
  }

using heddle::uptr;
using heddle::usize;
using Kinds = unsigned short;

HEDDLE_BEYOND(void, GOMP_target_ext,
              (int device, void (*body)(void*), usize count, void** addresses, usize* sizes, Kinds* kinds,
               unsigned flags, void** depend, void** arguments),
              device, body, count, addresses, sizes, kinds, flags, depend, arguments)
HEDDLE_BEYOND(void, GOMP_target_data_ext,
              (int device, usize count, void** addresses, usize* sizes, Kinds* kinds), device, count,
              addresses, sizes, kinds)
HEDDLE_BEYOND(void, GOMP_target_update_ext,
              (int device, usize count, void** addresses, usize* sizes, Kinds* kinds, unsigned flags,
               void** depend),
              device, count, addresses, sizes, kinds, flags, depend)
HEDDLE_BEYOND(void, GOMP_target_enter_exit_data,
              (int device, usize count, void** addresses, usize* sizes, Kinds* kinds, unsigned flags,
               void** depend),
              device, count, addresses, sizes, kinds, flags, depend)
HEDDLE_BEYOND(bool, GOMP_teams4, (unsigned low, unsigned high, unsigned limit, bool first), low, high, limit,
              first)
HEDDLE_BEYOND(void, GOMP_scope_start, (uptr * reductions), reductions)
HEDDLE_BEYOND(void, GOMP_warning, (const char* text, usize length), text, length)
HEDDLE_BEYOND(void, GOMP_error, (const char* text, usize length), text, length)
HEDDLE_BEYOND(void*, omp_target_alloc, (usize size, int device), size, device)
HEDDLE_BEYOND(void, omp_target_free, (void* block, int device), block, device)
HEDDLE_BEYOND(int, omp_target_is_present, (const void* address, int device), address, device)
HEDDLE_BEYOND(int, omp_target_memcpy,
              (void* to, const void* from, usize size, usize to_offset, usize from_offset, int to_device,
               int from_device),
              to, from, size, to_offset, from_offset, to_device, from_device)
HEDDLE_BEYOND(int, omp_target_memcpy_rect,
              (void* to, const void* from, usize element, int dimensions, const usize* volume,
               const usize* to_offsets, const usize* from_offsets, const usize* to_dimensions,
               const usize* from_dimensions, int to_device, int from_device),
              to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions,
              to_device, from_device)
HEDDLE_BEYOND(int, omp_target_associate_ptr,
              (const void* host, const void* there, usize size, usize offset, int device), host, there, size,
              offset, device)
HEDDLE_BEYOND(int, omp_target_disassociate_ptr, (const void* host, int device), host, device)
