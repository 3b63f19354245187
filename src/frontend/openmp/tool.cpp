// The OMPT tool: LLVM's libomp looks up ompt_start_tool, then calls back at every construct. Each file of this folder
// handles one family and registers its own callbacks.
#include "frontend/openmp/omp_task.hpp"

namespace heddle::openmp {
namespace {

// libomp creates its workers itself; they have no task until a region assigns one.
void on_thread_begin(ompt_thread_t, ompt_data_t*) {
  if (!self()) attach_thread(nullptr);
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  init();
  auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  set(ompt_callback_thread_begin, reinterpret_cast<ompt_callback_t>(on_thread_begin));
  register_parallel(set);
  register_tasks(set, lookup);
  register_team_work(set);
  register_sync(set);
  register_locks(set);
  register_dependences(set);
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace
}  // namespace heddle::openmp

extern "C" __attribute__((visibility("default"), weak)) ompt_start_tool_result_t* ompt_start_tool(
    unsigned int, const char*) {
  static ompt_start_tool_result_t result{heddle::openmp::initialize, heddle::openmp::finalize, {0}};
  return &result;
}
