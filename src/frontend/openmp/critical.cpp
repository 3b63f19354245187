// Names for critical constructs. OMPT names the lock that libomp made for one; the program's own variable for it, which both
// compilers name after the construct, is only seen at the entry points.
#include <dlfcn.h>

#include "frontend/openmp/omp_task.hpp"

namespace {

__thread heddle::uptr t_variable __attribute__((tls_model("initial-exec"))) = 0;
__thread heddle::uptr t_last_named __attribute__((tls_model("initial-exec"))) = 0;

class Entering {
 public:
  explicit Entering(void* variable) { t_variable = reinterpret_cast<heddle::uptr>(variable); }
  ~Entering() { t_variable = 0; }
};

template <class Function>
void find(Function& real, const char* name) {
  if (!real) real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace heddle::openmp {

void name_critical(uptr lock) {
  if (!t_variable || t_last_named == lock) return;
  t_last_named = lock;
  rt().syncs.get(lock, SyncTable::kLock).address = t_variable;
}

}  // namespace heddle::openmp

#define HEDDLE_ENTRY extern "C" __attribute__((visibility("default")))

HEDDLE_ENTRY void __kmpc_critical(void* location, int thread, void* variable) {
  static decltype(&__kmpc_critical) real;
  find(real, "__kmpc_critical");
  Entering entering(variable);
  real(location, thread, variable);
}
HEDDLE_ENTRY void __kmpc_critical_with_hint(void* location, int thread, void* variable, unsigned hint) {
  static decltype(&__kmpc_critical_with_hint) real;
  find(real, "__kmpc_critical_with_hint");
  Entering entering(variable);
  real(location, thread, variable, hint);
}
HEDDLE_ENTRY void GOMP_critical_name_start(void** variable) {
  static decltype(&GOMP_critical_name_start) real;
  find(real, "GOMP_critical_name_start");
  Entering entering(variable);
  real(variable);
}
