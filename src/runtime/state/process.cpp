#include "runtime/state/process.hpp"

namespace heddle {

Runtime* g_runtime = nullptr;
__thread ThreadState* t_self __attribute__((tls_model("initial-exec"))) = nullptr;
__thread ThreadState* t_all_accesses __attribute__((tls_model("initial-exec"))) = nullptr;
bool g_compounds_are_two = false;
bool g_looks_at_calls = false;

void set_self(ThreadState* thread) {
  t_self = thread;
  t_all_accesses = g_runtime->only_annotated ? nullptr : thread;
}

}  // namespace heddle
