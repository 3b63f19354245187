// C++ exceptions that travel between threads (std::exception_ptr, futures). The drop of the last reference destroys
// the object, after all other drops; the reference count is in libstdc++, which is not instrumented. So every drop of
// a shared exception releases and acquires, as the count itself does.
//
// Layouts are those of the Itanium C++ ABI as GCC's libstdc++ has them on x86-64 (unwind-cxx.h).
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

// The header before a thrown object. One that was rethrown from an exception_ptr is a dependent exception: it has no
// object, but refers to the first one.
struct Header {
  void* type_or_primary;
  void* destructor;
  void* unexpected_handler;
  void* terminate_handler;
  Header* next;
  int handler_count;
  int handler_switch;
  void* action_record;
  void* language_data;
  void* catch_temporary;
  void* adjusted;
  alignas(16) u64 exception_class;
  u64 unwinder_data[3];

  static constexpr u64 kGnu = 0x474e5543432b2b00;  // "GNUCC++" and a byte that is 1 for dependent ones
  bool is_gnu() const { return (exception_class & ~u64{0xff}) == kGnu; }
  bool dependent() const { return exception_class & 1; }
  void* object() { return dependent() ? type_or_primary : this + 1; }
  // The reference count is the first word before the header.
  bool shared() const { return dependent() || *(reinterpret_cast<const volatile int*>(this) - 4) > 1; }
};
static_assert(sizeof(Header) == 112);

struct Globals {
  Header* caught;
  unsigned uncaught;
};

void dropping(uptr caller, void* object) {
  threads::publish_at(caller, object);
  threads::await_at(caller, object);
}

}  // namespace

HEDDLE_REAL(Globals*, __cxa_get_globals_fast);

HEDDLE_INTERPOSE(void, __cxa_end_catch) {
  if (self()) {
    Globals* globals = real___cxa_get_globals_fast();
    Header* header = globals ? globals->caught : nullptr;
    if (header && header->is_gnu()) {
      if (header->shared())
        dropping(HEDDLE_CALLER, header->object());
      else
        threads::await_at(HEDDLE_CALLER, header->object());  // it may have been shared
    }
  }
  real___cxa_end_catch();
}

// std::__exception_ptr::exception_ptr::_M_release(), which the destructor and the assignments of
// exception_ptr call
HEDDLE_INTERPOSE(void, _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, void** pointer) {
  if (*pointer) dropping(HEDDLE_CALLER, *pointer);
  real__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(pointer);
}
