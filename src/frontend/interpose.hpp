// How a frontend intercepts a library function.
//
// A function that the executable defines (or libheddle.so, in that build) preempts the library's for every module of
// the process: the program, libstdc++, libomp, libc itself where it calls through its PLT. So a hook is a definition
// under the library's name, and the real function is the next definition in the search order.
//
//   HEDDLE_INTERPOSE(int, pthread_mutex_lock, pthread_mutex_t* mutex) {
//     int result = real_pthread_mutex_lock(mutex);
//     ...
//   }
//
// Hooks may run before init(), on unknown threads, and in a forked child: then they only forward the call.
#pragma once

#include "base/caller.hpp"
#include "runtime/runtime.hpp"

namespace heddle {

// --- the real functions ------------------------------------------------------------------------------------

// A library function, looked up at start or, if called earlier, at its first call. All objects are in one section of
// the binary, so that resolve_all finds them.
struct alignas(32) RealFunction {
  const char* name;
  const char* version;  // null: the default one
  void* address;

  // Null if no library has it (a C++ function in a C program).
  void* resolve();
};
static_assert(sizeof(RealFunction) == 32);  // no gaps between the objects of the section

template <class F>
struct Real;
template <class R, class... Args>
struct Real<R(Args...)> : RealFunction {
  R operator()(Args... args) { return get()(args...); }
  auto get() -> R (*)(Args...) {
    void* known = __atomic_load_n(&address, __ATOMIC_RELAXED);
    return reinterpret_cast<R (*)(Args...)>(HEDDLE_LIKELY(known != nullptr) ? known : resolve());
  }
  bool known() const { return __atomic_load_n(&address, __ATOMIC_RELAXED) != nullptr; }
};

// So that no hook calls dlsym later: it is not async-signal-safe.
void resolve_all();

#define HEDDLE_REAL_VERSION(result, name, version, ...)                                                     \
  __attribute__((section("heddle_reals"), used)) static ::heddle::Real<result(__VA_ARGS__)> real_##name = { \
      {#name, version, nullptr}}
#define HEDDLE_REAL(result, name, ...) HEDDLE_REAL_VERSION(result, name, nullptr, __VA_ARGS__)

// A definition under a library's name; weak, so that a program that has a function of that name keeps its own. An asm
// label gives the name, because the headers' declarations have exception specifications, attributes and overloads
// (strchr) that a definition of our own could not match.
#define HEDDLE_DEFINE(result, name, ...)                                                                     \
  extern "C" __attribute__((visibility("default"), weak)) result heddle_hook_##name(__VA_ARGS__) asm(#name); \
  result heddle_hook_##name(__VA_ARGS__)

#define HEDDLE_INTERPOSE_VERSION(result, name, version, ...) \
  HEDDLE_REAL_VERSION(result, name, version, __VA_ARGS__);   \
  HEDDLE_DEFINE(result, name, __VA_ARGS__)
#define HEDDLE_INTERPOSE(result, name, ...) HEDDLE_INTERPOSE_VERSION(result, name, nullptr, __VA_ARGS__)

// --- the caller ---------------------------------------------------------------------------------------------------

// The kind of code that made a call. It decides what the call means.
enum class Origin : u8 {
  kProgram,          // instrumented: its accesses, its synchronisation, its memory
  kStandardLibrary,  // libstdc++, libc: works on the program's data; what it shares between threads inside is
                     // its own affair
  kForeign,          // another uninstrumented library: how it orders its own accesses is not seen
  kRuntimeSystem,    // libomp, libtbb: a frontend handles it; its calls mean nothing
  kOwnRuntimeSystem,  // libheddle_omp: the same, and it uses the verification runtime
};
inline bool is_runtime_system(Origin origin) {
  return origin == Origin::kRuntimeSystem || origin == Origin::kOwnRuntimeSystem;
}
Origin origin_of_other(uptr pc);

// The executable is nearly always the caller.
struct TextRange {
  uptr begin, end;
};
extern TextRange g_executable;

inline Origin origin_of(uptr pc) {
  if (HEDDLE_LIKELY(pc - g_executable.begin < g_executable.end - g_executable.begin)) return Origin::kProgram;
  return origin_of_other(pc);
}

// For stacks in reports: `pc` if it is in the program, else the nearest return address into the program above
// `frame` on the machine stack. A call that went through libstdc++ is then shown where the program made it.
uptr program_pc(const ThreadState& thread, uptr pc, void* frame);

// --- does a call count? -------------------------------------------------------------------------------------------

// The calling thread if its accesses and allocations are observed, else null.
inline ThreadState* observed() {
  ThreadState* thread = self();
  return HEDDLE_LIKELY(thread && thread->active) ? thread : nullptr;
}

// The calling thread if its synchronisation is observed, else null. It is observed also where accesses are ignored.
inline ThreadState* participant(uptr caller) {
  ThreadState* thread = self();
  if (!thread || !(thread->active || thread->ignore) || !running(*thread)) return nullptr;
  return is_runtime_system(origin_of(caller)) ? nullptr : thread;
}

// A lighter RuntimeScope, for operations that do not end the strand.
class Undisturbed {
 public:
  explicit Undisturbed(ThreadState& thread) : thread_(thread), was_active_(thread.active) {
    thread.active = false;
    thread.reader.enter();
  }
  ~Undisturbed() {
    thread_.reader.leave();
    thread_.active = was_active_;
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  ThreadState& thread_;
  bool was_active_;
};

// A global object with neither constructor nor destructor: hooks may use it at any time, before main and after exit.
// REQUIRES: all-zero bytes are a valid, default-constructed T.
template <class T>
class Global {
 public:
  T& operator*() { return *std::launder(reinterpret_cast<T*>(storage_)); }
  T* operator->() { return &**this; }

 private:
  alignas(T) char storage_[sizeof(T)];
};

// Are two functions the same? Compilers assume that different names are different functions.
template <class Function>
bool is_same_function(Function* a, Function* b) {
  asm("" : "+r"(a));
  return a == b;
}

inline uptr address_of(const volatile void* pointer) { return reinterpret_cast<uptr>(pointer); }

}  // namespace heddle
