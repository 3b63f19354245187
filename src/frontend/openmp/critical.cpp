// Names of critical constructs. OMPT names the lock that libomp created; the program's own variable, which both
// compilers name after the construct, is visible only at the entry points.
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace {

__thread heddle::uptr t_variable __attribute__((tls_model("initial-exec"))) = 0;
__thread heddle::uptr t_last_named __attribute__((tls_model("initial-exec"))) = 0;

class Entering {
 public:
  // The library's own call of another entry point is not the program's.
  Entering(void* variable, void* pc) : is_outer_(!heddle::openmp::t_asks_at) {
    t_variable = reinterpret_cast<heddle::uptr>(variable);
    if (is_outer_) heddle::openmp::t_asks_at = reinterpret_cast<heddle::uptr>(pc);
  }
  ~Entering() {
    t_variable = 0;
    if (is_outer_) heddle::openmp::t_asks_at = 0;
  }

 private:
  bool is_outer_;
};

}  // namespace

namespace heddle::openmp {

void name_critical(uptr lock) {
  if (!t_variable || t_last_named == lock) return;
  t_last_named = lock;
  rt().syncs.get(lock, SyncTable::kLock).address = t_variable;
}

}  // namespace heddle::openmp

HEDDLE_ENTRY void __kmpc_critical(void* location, int thread, void* variable) {
  HEDDLE_FIND_REAL(__kmpc_critical);
  Entering entering(variable, __builtin_return_address(0));
  real(location, thread, variable);
}
HEDDLE_ENTRY void __kmpc_critical_with_hint(void* location, int thread, void* variable, unsigned hint) {
  HEDDLE_FIND_REAL(__kmpc_critical_with_hint);
  Entering entering(variable, __builtin_return_address(0));
  real(location, thread, variable, hint);
}
HEDDLE_ENTRY void GOMP_critical_name_start(void** variable) {
  HEDDLE_FIND_REAL(GOMP_critical_name_start);
  Entering entering(variable, __builtin_return_address(0));
  real(variable);
}
