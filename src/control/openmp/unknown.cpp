// Entry points that only libomp has: without these stubs, libomp would start beside this runtime. And messages that
// the program itself requests.
#include "base/system_call.hpp"
#include "control/openmp/core.hpp"

namespace heddle::gomp {
namespace {

[[noreturn]] void refuse_clang() {
  stop(
      "the verification runtime needs OpenMP code that was compiled by GCC (HEDDLE_CXX=g++): this program, "
      "or one of its libraries, "
      "was compiled by clang");
}
[[noreturn]] void refuse_old() {
  stop(
      "the program calls an OpenMP entry point that compilers before GCC 5 used; the verification runtime "
      "does not have it: compile "
      "with GCC 12");
}
[[noreturn]] void refuse_llvm() {
  stop(
      "the program calls a function that only LLVM's OpenMP runtime has (kmp_*, omp_get_interop_*); the "
      "verification runtime does not "
      "have it");
}

void print(const char* label, const char* text, usize length) {
  constexpr long kStandardError = 2;
  usize size = 0;
  while (label[size]) ++size;
  system_call(SYS_write, kStandardError, reinterpret_cast<long>(label), static_cast<long>(size));
  if (text) {
    if (length == ~usize{0})
      for (length = 0; text[length];) ++length;
    system_call(SYS_write, kStandardError, reinterpret_cast<long>(text), static_cast<long>(length));
  }
  system_call(SYS_write, kStandardError, reinterpret_cast<long>("\n"), 1);
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle::gomp;

// #pragma omp error at(execution)
HEDDLE_GOMP_ENTRY void GOMP_warning(const char* text, heddle::usize length) {
  print("libgomp: error directive encountered: ", text, length);
}
HEDDLE_GOMP_ENTRY void GOMP_error(const char* text, heddle::usize length) {
  print("libgomp: fatal error: error directive encountered: ", text, length);
  stop("the program has reached #pragma omp error severity(fatal) at(execution)");
}

#define HEDDLE_REFUSE(name, how) \
  HEDDLE_GOMP_ENTRY void name() { how(); }

// The first OpenMP call of clang's code is one of these.
HEDDLE_REFUSE(__kmpc_fork_call, refuse_clang)
HEDDLE_REFUSE(__kmpc_fork_call_if, refuse_clang)
HEDDLE_REFUSE(__kmpc_fork_teams, refuse_clang)
HEDDLE_REFUSE(__kmpc_global_thread_num, refuse_clang)
HEDDLE_REFUSE(__kmpc_barrier, refuse_clang)
HEDDLE_REFUSE(__kmpc_critical, refuse_clang)
HEDDLE_REFUSE(__kmpc_critical_with_hint, refuse_clang)
HEDDLE_REFUSE(__kmpc_omp_task_alloc, refuse_clang)
HEDDLE_REFUSE(__kmpc_omp_taskwait, refuse_clang)
HEDDLE_REFUSE(__kmpc_single, refuse_clang)
HEDDLE_REFUSE(__kmpc_master, refuse_clang)
HEDDLE_REFUSE(__kmpc_masked, refuse_clang)
HEDDLE_REFUSE(__kmpc_push_num_threads, refuse_clang)

HEDDLE_REFUSE(GOMP_parallel_start, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_end, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_loop_static_start, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_loop_dynamic_start, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_loop_guided_start, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_loop_runtime_start, refuse_old)
HEDDLE_REFUSE(GOMP_parallel_sections_start, refuse_old)
HEDDLE_REFUSE(GOMP_target, refuse_old)
HEDDLE_REFUSE(GOMP_target_data, refuse_old)
HEDDLE_REFUSE(GOMP_target_update, refuse_old)

HEDDLE_REFUSE(kmp_malloc, refuse_llvm)
HEDDLE_REFUSE(kmp_calloc, refuse_llvm)
HEDDLE_REFUSE(kmp_free, refuse_llvm)
HEDDLE_REFUSE(kmp_set_defaults, refuse_llvm)
HEDDLE_REFUSE(kmp_set_stacksize_s, refuse_llvm)
HEDDLE_REFUSE(kmp_set_affinity, refuse_llvm)
HEDDLE_REFUSE(kmp_get_affinity, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_int, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_ptr, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_str, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_name, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_type_desc, refuse_llvm)
HEDDLE_REFUSE(omp_get_interop_rc_desc, refuse_llvm)
HEDDLE_REFUSE(omp_get_num_interop_properties, refuse_llvm)
