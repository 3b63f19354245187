#include "control/openmp/tool.hpp"

#include <dlfcn.h>

#include "control/openmp/text.hpp"

namespace heddle::gomp {
namespace {

Tool g_tool;
ompt_start_tool_result_t* g_result = nullptr;
constexpr unsigned kOpenMpVersion = 201611;

// --- queries of the tool ------------------------------------------------------------------------------------------

template <class F>
bool store(Callback<F>& slot, ompt_callback_t function) {
  slot.function = reinterpret_cast<F>(function);
  return true;
}

bool store(ompt_callbacks_t which, ompt_callback_t function) {
  switch (which) {
    case ompt_callback_thread_begin:
      return store(g_tool.thread_begin, function);
    case ompt_callback_parallel_begin:
      return store(g_tool.parallel_begin, function);
    case ompt_callback_parallel_end:
      return store(g_tool.parallel_end, function);
    case ompt_callback_implicit_task:
      return store(g_tool.implicit_task, function);
    case ompt_callback_sync_region:
      return store(g_tool.sync_region, function);
    case ompt_callback_sync_region_wait:
      return store(g_tool.sync_region_wait, function);
    case ompt_callback_work:
      return store(g_tool.work, function);
    case ompt_callback_dispatch:
      return store(g_tool.dispatch, function);
    case ompt_callback_task_create:
      return store(g_tool.task_create, function);
    case ompt_callback_task_schedule:
      return store(g_tool.task_schedule, function);
    case ompt_callback_dependences:
      return store(g_tool.dependences, function);
    case ompt_callback_mutex_acquire:
      return store(g_tool.mutex_acquire, function);
    case ompt_callback_mutex_acquired:
      return store(g_tool.mutex_acquired, function);
    case ompt_callback_mutex_released:
      return store(g_tool.mutex_released, function);
    case ompt_callback_lock_init:
      return store(g_tool.lock_init, function);
    case ompt_callback_lock_destroy:
      return store(g_tool.lock_destroy, function);
    case ompt_callback_nest_lock:
      return store(g_tool.nest_lock, function);
    case ompt_callback_cancel:
      return store(g_tool.cancel, function);
    default:
      return false;
  }
}

ompt_set_result_t set_callback(ompt_callbacks_t which, ompt_callback_t function) {
  return store(which, function) ? ompt_set_always : ompt_set_never;
}

ompt_data_t* get_thread_data() { return &self().tool; }

int get_task_info(int level, int* flags, ompt_data_t** data, ompt_frame_t** frame, ompt_data_t** parallel,
                  int* number) {
  static ompt_frame_t no_frame{};
  Thread& thread = self();
  Task* task = thread.task;
  for (; level > 0 && task; --level) task = task->parent;
  if (!task) return 0;
  if (flags) *flags = task->implicit ? ompt_task_implicit : ompt_task_explicit;
  if (data) *data = &task->tool;
  if (frame) *frame = &no_frame;
  if (parallel) *parallel = &task->team->tool;
  if (number) *number = static_cast<int>(thread.member->number);
  return 2;
}

int get_parallel_info(int level, ompt_data_t** parallel, int* size) {
  Team* team = self().member->team;
  for (; level > 0 && team; --level) team = team->forker ? team->forker->team : nullptr;
  if (!team) return 0;
  if (parallel) *parallel = &team->tool;
  if (size) *size = static_cast<int>(team->size);
  return 2;
}

int get_task_memory(void** address, size_t* size, int block) {
  Task* task = self().task;
  *address = block == 0 ? task->block : nullptr;
  *size = block == 0 ? task->block_size : 0;
  return 0;
}

int get_state(ompt_wait_id_t* id) {
  if (id) *id = 0;
  return self().member->team->level ? ompt_state_work_parallel : ompt_state_work_serial;
}

u64 get_unique_id() {
  static u64 last = 0;
  return ++last;
}

int get_num_procs() { return static_cast<int>(processors()); }
int get_num_devices() { return 0; }
void finalize_tool() {
  if (g_result && g_result->finalize) g_result->finalize(&g_result->tool_data);
  g_result = nullptr;
}

ompt_interface_fn_t lookup(const char* name) {
  struct Entry {
    const char* name;
    ompt_interface_fn_t function;
  };
  static const Entry entries[] = {
      {"ompt_set_callback", reinterpret_cast<ompt_interface_fn_t>(set_callback)},
      {"ompt_get_thread_data", reinterpret_cast<ompt_interface_fn_t>(get_thread_data)},
      {"ompt_get_task_info", reinterpret_cast<ompt_interface_fn_t>(get_task_info)},
      {"ompt_get_task_memory", reinterpret_cast<ompt_interface_fn_t>(get_task_memory)},
      {"ompt_get_parallel_info", reinterpret_cast<ompt_interface_fn_t>(get_parallel_info)},
      {"ompt_get_state", reinterpret_cast<ompt_interface_fn_t>(get_state)},
      {"ompt_get_unique_id", reinterpret_cast<ompt_interface_fn_t>(get_unique_id)},
      {"ompt_get_num_procs", reinterpret_cast<ompt_interface_fn_t>(get_num_procs)},
      {"ompt_get_num_devices", reinterpret_cast<ompt_interface_fn_t>(get_num_devices)},
      {"ompt_finalize_tool", reinterpret_cast<ompt_interface_fn_t>(finalize_tool)},
  };
  for (const Entry& entry : entries)
    if (equal(entry.name, name)) return entry.function;
  return nullptr;
}

}  // namespace

const Tool& tool() { return g_tool; }

void start_tool() {
  using Start = ompt_start_tool_result_t*(unsigned, const char*);
  auto* start = reinterpret_cast<Start*>(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  if (!start) return;
  g_result = start(kOpenMpVersion, "Heddle's verification runtime");
  if (g_result && !g_result->initialize(lookup, 0, &g_result->tool_data)) {
    g_result = nullptr;
    g_tool = {};
  }
}

void tool_thread_begin(ompt_thread_t kind, Thread& thread) { g_tool.thread_begin(kind, &thread.tool); }

void tool_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Thread& thread, const void* pc,
               bool region_is_over) {
  g_tool.sync_region(kind, endpoint, region_is_over ? nullptr : &thread.member->team->tool,
                     &thread.task->tool, pc);
}
void tool_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Thread& thread, const void* pc,
               bool region_is_over) {
  g_tool.sync_region_wait(kind, endpoint, region_is_over ? nullptr : &thread.member->team->tool,
                          &thread.task->tool, pc);
}
void tool_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, Thread& thread, u64 count, const void* pc) {
  g_tool.work(type, endpoint, &thread.member->team->tool, &thread.task->tool, count, pc);
}

}  // namespace heddle::gomp
