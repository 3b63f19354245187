// Annotations of data that is meant to be atomic (include/heddle/annotate.h). Without --check=atomicity they do
// nothing.
#include "frontend/compiler/hooks.hpp"
#include "frontend/interpose.hpp"
#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/memory.hpp"
#include "runtime/annotated/steps.hpp"

using namespace heddle;

namespace {

// The thread, if this run checks atomicity.
ThreadState* annotating() {
  init();  // constructors of the program's globals annotate, too
  ThreadState* thread = self();
  return thread && rt().options.check_atomicity && !rt().recording && !thread->inside ? thread : nullptr;
}

}  // namespace

HEDDLE_HOOK unsigned __heddle_new_atomic_group() { return annotating() ? annotated::new_group() : 0; }

// `group`: 0 for a location by itself.
HEDDLE_HOOK void __heddle_atomic(const volatile void* address, usize size, unsigned group) {
  ThreadState* thread = annotating();
  if (size && rt().recording && rt().only_annotated) {
    // A history that records only annotated data needs nothing else.
    annotated::g_anything_annotated.store(true, std::memory_order_relaxed);
    annotated::g_bounds.add(reinterpret_cast<uptr>(address), reinterpret_cast<uptr>(address) + size);
  }
  if (!thread || !size) return;
  RuntimeScope scope(*thread);
  annotated::annotate(reinterpret_cast<uptr>(address), size, group);
}

HEDDLE_HOOK void __heddle_not_atomic(const volatile void* address, usize size) {
  ThreadState* thread = annotating();
  if (!thread || !size) return;
  RuntimeScope scope(*thread);
  annotated::forget(reinterpret_cast<uptr>(address), size);
}

HEDDLE_HOOK void __heddle_begin_atomic_region() {
  ThreadState* thread = annotating();
  if (!thread) return;
  RuntimeScope scope(*thread);
  annotated::begin_region(*thread);
}
HEDDLE_HOOK void __heddle_end_atomic_region() {
  ThreadState* thread = annotating();
  if (!thread) return;
  RuntimeScope scope(*thread);
  annotated::end_region(*thread);
}
