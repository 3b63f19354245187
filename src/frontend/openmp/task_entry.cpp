// The entry points of libomp that create tasks. They are wrapped for what OMPT does not report:
//  - if(0): the creator waits for the task. OMPT does not distinguish it from a team of one, where every task runs at
//    once;
//  - the place in the program: OMPT names the caller of the entry point, which is now the wrapper;
//  - the memory of a task of clang's code: the program writes there before the task exists, and libomp recycles it.
#include "base/caller.hpp"
#include "base/check.hpp"
#include "frontend/openmp/entry_point.hpp"
#include "frontend/openmp/omp_task.hpp"

namespace {

using namespace heddle;
using openmp::TaskMemory;

// The program's request, during the real entry point. Tasks that are created inside the body of a task that runs at
// once have another context, and their own request.
struct Entry {
  const TaskContext* context = nullptr;
  uptr pc = 0;
  bool if0 = false;
  bool taskloop = false;
  uptr runs_below = 0;  // see called_by_program_at
};
__thread Entry t_entry __attribute__((tls_model("initial-exec")));
__thread TaskMemory t_allocated __attribute__((tls_model("initial-exec")));

class EntryScope {
 public:
  // The frames of the calling task are above `called_at`.
  EntryScope(uptr pc, uptr called_at, bool if0, bool taskloop, bool runs_here = false) : outer_(t_entry) {
    ThreadState* thread = self();
    if (thread) share_stack(*thread, called_at);
    const TaskContext* context = thread ? thread->context : nullptr;
    if (context && outer_.context == context)
      pc = outer_.pc;  // libomp's entry points for GCC call those for clang
    t_entry = {context, pc, if0, taskloop, runs_here ? called_at : 0};
  }
  ~EntryScope() { t_entry = outer_; }

 private:
  Entry outer_;
};

const Entry* entry() {
  ThreadState* thread = self();
  return t_entry.context && thread && thread->context == t_entry.context ? &t_entry : nullptr;
}

}  // namespace

namespace heddle::openmp {

bool undeferred_by_clause() { return entry() && entry()->if0; }
bool made_by_taskloop() { return entry() && entry()->taskloop; }
uptr called_by_program_at() { return entry() ? entry()->runs_below : 0; }
uptr creation_pc(const void* pc) { return entry() ? entry()->pc : reinterpret_cast<uptr>(pc); }

// OMPT's word of storage is in libomp's own part of the task, before the program's.
TaskMemory allocated_for(const ompt_data_t* data) {
  constexpr usize kLargestHeader = 1024;
  TaskMemory memory = t_allocated;
  t_allocated = {};
  uptr at = reinterpret_cast<uptr>(data);
  return memory.address > at && memory.address - at < kLargestHeader ? memory : TaskMemory{};
}

}  // namespace heddle::openmp

// --- GCC -------------------------------------------------------------------------------------------------------------

namespace {

// In a recorded run, the new owner of recycled memory records it as new: its last owner did, but in another stream.
void renewed(const void* memory, usize size) {
  ThreadState* thread = self();
  if (!thread || !rt().recording) return;
  RuntimeScope scope(*thread);
  new_memory(reinterpret_cast<uptr>(memory), size);
}

// The program's function that copies data into the memory of the task that is being created.
struct Copy {
  void (*own)(void*, void*);
  usize size;
};
__thread Copy t_copy __attribute__((tls_model("initial-exec")));

// The body of a task may run, and create tasks, before the entry point has made its last copy.
class CopyScope {
 public:
  CopyScope(void (*&copy)(void*, void*), long size) : outer_(t_copy) {
    if (!copy) return;
    t_copy = {copy, static_cast<usize>(size)};
    copy = copy_data;
  }
  ~CopyScope() { t_copy = outer_; }

 private:
  static void copy_data(void* to, void* from) {
    Copy copy = t_copy;
    renewed(to, copy.size);
    copy.own(to, from);
  }

  Copy outer_;
};

}  // namespace

namespace {
constexpr unsigned kGompTaskDetach = 1u << 13;

// libomp does not know GCC's encoding of `detach`: it creates no event, and does not wait for one. Fulfilling the
// event then crashes, or is ignored, and the task counts as complete too early.
void refuse_detach() {
  if (g_runtime && !rt().options.serial)
    fatal(
        "the program has a task with a detach clause, and LLVM's libomp does not know how GCC compiles that: "
        "compile it with clang, or use heddle run --serial");
}
}  // namespace

HEDDLE_ENTRY void GOMP_task(void (*fn)(void*), void* data, void (*copy)(void*, void*), long size, long align,
                            bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  HEDDLE_FIND_REAL(GOMP_task);
  if (HEDDLE_UNLIKELY(flags & kGompTaskDetach)) refuse_detach();
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, !if_clause, false);
  CopyScope copying(copy, size);
  real(fn, data, copy, size, align, if_clause, flags, depend, priority, detach);
}

namespace {
constexpr unsigned kGompTaskIf = 1u << 10;
}

HEDDLE_ENTRY void GOMP_taskloop(void (*fn)(void*), void* data, void (*copy)(void*, void*), long size,
                                long align, unsigned flags, unsigned long tasks, int priority, long begin,
                                long end, long step) {
  HEDDLE_FIND_REAL(GOMP_taskloop);
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, !(flags & kGompTaskIf), true);
  CopyScope copying(copy, size);
  real(fn, data, copy, size, align, flags, tasks, priority, begin, end, step);
}
HEDDLE_ENTRY void GOMP_taskloop_ull(void (*fn)(void*), void* data, void (*copy)(void*, void*), long size,
                                    long align, unsigned flags, unsigned long tasks, int priority,
                                    unsigned long long begin, unsigned long long end,
                                    unsigned long long step) {
  HEDDLE_FIND_REAL(GOMP_taskloop_ull);
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, !(flags & kGompTaskIf), true);
  CopyScope copying(copy, size);
  real(fn, data, copy, size, align, flags, tasks, priority, begin, end, step);
}

// --- clang -----------------------------------------------------------------------------------------------------------

namespace {

// The program's part of a task (kmp_task_t); `shareds` points behind it.
struct KmpTask;
using Routine = int(int thread, KmpTask* task);
using Duplicate = void(KmpTask* to, KmpTask* from, int last);
struct KmpTask {
  void* shareds;
  Routine* routine;
  int part;
  Routine* destructors;  // of firstprivate copies, if the task was allocated with this flag
};
constexpr int kHasDestructors = 8;
__thread int t_allocated_flags __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

HEDDLE_ENTRY void __kmpc_omp_task_begin_if0(void* location, int thread, void* task) {
  HEDDLE_FIND_REAL(__kmpc_omp_task_begin_if0);
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, true, false, true);
  real(location, thread, task);
}

HEDDLE_ENTRY KmpTask* __kmpc_omp_task_alloc(void* location, int thread, int flags, usize size,
                                            usize shareds_size, void* routine) {
  HEDDLE_FIND_REAL(__kmpc_omp_task_alloc);
  if (ThreadState* creator = self()) share_stack(*creator, HEDDLE_CALLED_AT);
  KmpTask* task = real(location, thread, flags, size, shareds_size, routine);
  uptr begin = reinterpret_cast<uptr>(task);
  uptr end = shareds_size ? reinterpret_cast<uptr>(task->shareds) + shareds_size : begin + size;
  t_allocated = {begin, end > begin ? end - begin : size};
  t_allocated_flags = flags;
  renewed(task, t_allocated.size);
  return task;
}

// A taskloop copies the given task for every chunk, and frees it without running it. Copies and original are recycled
// memory: nothing that these functions of the program do to them matters afterwards.
namespace {

struct Pattern {
  Duplicate* duplicate;
  Routine* destroy;
  usize size;
};
SpinLock g_patterns_lock;
HashMap<Pattern>& patterns() {  // by the routine of the task
  static auto* map = memory::make<HashMap<Pattern>>();
  return *map;
}

void forget_task(const KmpTask* task, usize size) {
  if (ThreadState* thread = self()) {
    RuntimeScope scope(*thread);
    new_memory(reinterpret_cast<uptr>(task), size);
  }
}

Pattern pattern_of(const KmpTask* task) {
  SpinGuard guard(g_patterns_lock);
  Pattern* known = patterns().find(reinterpret_cast<u64>(task->routine));
  return known ? *known : Pattern{};
}

int destroy(int thread, KmpTask* task) {
  Pattern pattern = pattern_of(task);
  if (pattern.destroy) pattern.destroy(thread, task);
  forget_task(task, pattern.size);
  return 0;
}

void duplicate(KmpTask* to, KmpTask* from, int last) {
  Pattern pattern = pattern_of(from);
  renewed(to, pattern.size);
  if (pattern.duplicate) pattern.duplicate(to, from, last);
  forget_task(to, pattern.size);
  forget_task(from, pattern.size);
}

// The function to pass to libomp in place of the program's.
Duplicate* prepare(KmpTask* task, Duplicate* own) {
  TaskMemory memory = std::exchange(t_allocated, TaskMemory{});
  if (memory.address != reinterpret_cast<uptr>(task)) return own;
  forget_task(task, memory.size);
  bool destructors = (t_allocated_flags & kHasDestructors) && task->destructors != destroy;
  if (!own && !destructors) return own;
  SpinGuard guard(g_patterns_lock);
  patterns()[reinterpret_cast<u64>(task->routine)] = {own, destructors ? task->destructors : nullptr,
                                                      memory.size};
  if (destructors) task->destructors = destroy;
  return own ? duplicate : nullptr;
}

}  // namespace

HEDDLE_ENTRY void __kmpc_taskloop(void* location, int thread, KmpTask* task, int if_clause, u64* begin,
                                  u64* end, long step, int nogroup, int schedule, u64 grain, Duplicate* own) {
  HEDDLE_FIND_REAL(__kmpc_taskloop);
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, !if_clause, true);
  real(location, thread, task, if_clause, begin, end, step, nogroup, schedule, grain, prepare(task, own));
}
HEDDLE_ENTRY void __kmpc_taskloop_5(void* location, int thread, KmpTask* task, int if_clause, u64* begin,
                                    u64* end, long step, int nogroup, int schedule, u64 grain, int modifier,
                                    Duplicate* own) {
  HEDDLE_FIND_REAL(__kmpc_taskloop_5);
  EntryScope scope(HEDDLE_CALLER, HEDDLE_CALLED_AT, !if_clause, true);
  real(location, thread, task, if_clause, begin, end, step, nogroup, schedule, grain, modifier,
       prepare(task, own));
}
