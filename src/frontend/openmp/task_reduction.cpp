// Task reductions: libomp keeps a copy of each reduced variable for every thread, in its own memory, and tasks of one
// thread share a copy one after the other. The copies are bound to their threads. (They are combined after the
// taskgroup's wait.)
#include "base/hash_map.hpp"
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace {

using namespace heddle;

// libomp's description of one reduced variable (kmp_taskred_input_t).
struct Reduced {
  void* shared;
  void* original;
  usize size;
  void* init;
  void* fini;
  void* combine;
  u64 flags;
};
// The older form has no `original` (kmp_task_red_input_t).
struct ReducedOld {
  void* shared;
  usize size;
  void* init;
  void* fini;
  void* combine;
  u64 flags;
};

// The size of the variable at an address, by the last registration: a task passes only the address.
SpinLock g_lock;
HashMap<usize>& sizes() {
  static auto* map = memory::make<HashMap<usize>>();
  return *map;
}

template <class Description>
void remember(int count, void* data) {
  ThreadState* thread = self();
  if (!thread) return;
  RuntimeScope scope(*thread);
  SpinGuard guard(g_lock);
  auto* variables = static_cast<Description*>(data);
  for (int i = 0; i < count; ++i) {
    sizes()[reinterpret_cast<u64>(variables[i].shared)] = variables[i].size;
    if constexpr (requires { variables[i].original; })
      sizes()[reinterpret_cast<u64>(variables[i].original)] = variables[i].size;
  }
}

// While libomp prepares or combines the copies of all threads: it synchronises that itself, invisibly.
class RuntimesOwnWork {
 public:
  RuntimesOwnWork() : thread_(self()) {
    if (!thread_) return;
    flush_pending(*thread_);
    ++thread_->ignore;
    refresh(*thread_);
  }
  ~RuntimesOwnWork() {
    if (!thread_) return;
    flush_pending(*thread_);
    --thread_->ignore;
    refresh(*thread_);
  }

 private:
  ThreadState* thread_;
};

}  // namespace

HEDDLE_ENTRY void* __kmpc_taskred_init(int gtid, int count, void* data) {
  HEDDLE_FIND_REAL(__kmpc_taskred_init);
  remember<Reduced>(count, data);
  RuntimesOwnWork scope;
  return real(gtid, count, data);
}
HEDDLE_ENTRY void* __kmpc_task_reduction_init(int gtid, int count, void* data) {
  HEDDLE_FIND_REAL(__kmpc_task_reduction_init);
  remember<ReducedOld>(count, data);
  RuntimesOwnWork scope;
  return real(gtid, count, data);
}
HEDDLE_ENTRY void* __kmpc_taskred_modifier_init(void* location, int gtid, int worksharing, int count,
                                                void* data) {
  HEDDLE_FIND_REAL(__kmpc_taskred_modifier_init);
  remember<Reduced>(count, data);
  RuntimesOwnWork scope;
  return real(location, gtid, worksharing, count, data);
}
HEDDLE_ENTRY void __kmpc_task_reduction_modifier_fini(void* location, int gtid, int worksharing) {
  HEDDLE_FIND_REAL(__kmpc_task_reduction_modifier_fini);
  RuntimesOwnWork scope;
  real(location, gtid, worksharing);
}

// A team of one works on the variable itself: that is the thread's copy until the reduction ends.
HEDDLE_ENTRY void* __kmpc_task_reduction_get_th_data(int gtid, void* group, void* variable) {
  HEDDLE_FIND_REAL(__kmpc_task_reduction_get_th_data);
  void* copy;
  {
    RuntimesOwnWork scope;
    copy = real(gtid, group, variable);
  }
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    SpinGuard guard(g_lock);
    if (usize* known = sizes().find(reinterpret_cast<u64>(variable))) {
      usize size = *known;
      bind_to_thread(reinterpret_cast<uptr>(copy), size);
      sizes()[reinterpret_cast<u64>(copy)] = size;  // a nested task passes its parent's copy
    }
  }
  return copy;
}

// GCC registers an array whose second word is the number of bytes per thread, and whose third becomes the address of
// all copies; the seventh, their end.
HEDDLE_ENTRY void GOMP_taskgroup_reduction_register(uptr* data) {
  HEDDLE_FIND_REAL(GOMP_taskgroup_reduction_register);
  real(data);
  if (ThreadState* thread = self(); thread && data[2]) {
    RuntimeScope scope(*thread);
    if (data[6] > data[2]) bind_to_thread(data[2], data[6] - data[2]);
  }
}

// parallel reduction(task, ...): the first word of the region's data points to that array. The region's function is
// wrapped: when it runs, the copies exist.
namespace {
struct ReducingRegion {
  uptr* reductions;
  void (*body)(void*);
  void* data;
};
void run_region(void* argument) {
  auto* region = static_cast<ReducingRegion*>(argument);
  uptr* data = region->reductions;
  if (ThreadState* thread = self(); thread && data[2] && data[6] > data[2]) {
    RuntimeScope scope(*thread);
    bind_to_thread(data[2], data[6] - data[2]);
  }
  region->body(region->data);
}
}  // namespace

HEDDLE_ENTRY unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads,
                                               unsigned flags) {
  HEDDLE_FIND_REAL(GOMP_parallel_reductions);
  ReducingRegion region{*static_cast<uptr**>(data), body, data};
  return real(run_region, &region, threads, flags);
}
