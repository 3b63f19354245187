// Futures that become ready at the end of a thread: promise::set_value_at_thread_exit and its relatives.
//
// libstdc++ makes the shared state ready by a function of its own, which is not instrumented, from a destructor of
// thread-specific data. So that all that the thread did happens before what waits for the future, and so that an
// exploration can choose when it happens, the same operation is made here first, through the hooks of atomic
// operations. The library's function then finds the state ready, and only frees its memory.
#include <memory>

#include "frontend/threads/threads.hpp"

extern "C" heddle::u32 __tsan_atomic32_exchange(volatile heddle::u32* variable, heddle::u32 value, int order);

namespace {

using namespace heddle;

// libstdc++'s __future_base::_State_baseV2::_Make_ready: its layout is part of the library's ABI.
struct MakeReady {
  MakeReady* next;
  void (*run)(void*);
  std::weak_ptr<char> state;
};
// In the state: a pointer to its virtual functions, the result, the word that waiting threads wait on.
constexpr usize kStatusOffset = 2 * sizeof(void*);
constexpr u32 kReady = 1, kSomeoneWaits = u32{1} << 31;

void (*g_run)(void*) = nullptr;  // the library's: the same in every object

HEDDLE_REAL(void, _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj, u32*);

void make_ready(void* data) {
  if (std::shared_ptr<char> state = static_cast<MakeReady*>(data)->state.lock()) {
    auto* status = reinterpret_cast<u32*>(state.get() + kStatusOffset);
    if (__tsan_atomic32_exchange(status, kReady, __ATOMIC_RELEASE) & kSomeoneWaits)
      real__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(status);
  }
  __atomic_load_n(&g_run, __ATOMIC_RELAXED)(data);
}

}  // namespace

HEDDLE_INTERPOSE(void, _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv, MakeReady* element) {
  real__ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(element);
  if (!participant(HEDDLE_CALLER)) return;
  __atomic_store_n(&g_run, element->run, __ATOMIC_RELAXED);
  element->run = make_ready;
}
