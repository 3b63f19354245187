// What the source says is meant to be atomic (include/heddle/annotate.h). Unless violations are looked for, it means nothing.
#include "frontend/compiler/hooks.hpp"
#include "frontend/interpose.hpp"
#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/memory.hpp"
#include "runtime/annotated/steps.hpp"

using namespace heddle;

namespace {

// The thread, if violations are looked for here.
ThreadState* watching() {
  init();  // constructors of the program's globals annotate, too
  ThreadState* thread = self();
  return thread && rt().options.check_atomicity && !rt().recording && !thread->inside ? thread : nullptr;
}

}  // namespace

HEDDLE_HOOK unsigned __heddle_new_atomic_group() { return watching() ? watched::new_group() : 0; }

// `group`: 0 for a location by itself.
HEDDLE_HOOK void __heddle_atomic(const volatile void* address, usize size, unsigned group) {
  ThreadState* thread = watching();
  if (size && rt().recording && rt().only_annotated) {
    // All that a history with nothing else needs to know.
    watched::g_anything_meant.store(true, std::memory_order_relaxed);
    watched::g_may_be_meant.add(reinterpret_cast<uptr>(address), reinterpret_cast<uptr>(address) + size);
  }
  if (!thread || !size) return;
  RuntimeScope scope(*thread);
  watched::annotate(reinterpret_cast<uptr>(address), size, group);
}

HEDDLE_HOOK void __heddle_not_atomic(const volatile void* address, usize size) {
  ThreadState* thread = watching();
  if (!thread || !size) return;
  RuntimeScope scope(*thread);
  watched::forget(reinterpret_cast<uptr>(address), size);
}

HEDDLE_HOOK void __heddle_begin_atomic_region() {
  ThreadState* thread = watching();
  if (!thread) return;
  RuntimeScope scope(*thread);
  watched::begin_region(*thread);
}
HEDDLE_HOOK void __heddle_end_atomic_region() {
  ThreadState* thread = watching();
  if (!thread) return;
  RuntimeScope scope(*thread);
  watched::end_region(*thread);
}
