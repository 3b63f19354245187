// The ABI between oneTBB's headers and its library (libtbb.so.12), as far as this frontend needs it: the layout of a
// task and how it is called. The mangled names of its functions are given once, here.
#pragma once

#include "base/text.hpp"
#include "frontend/interpose.hpp"

namespace heddle::tbb {

// d1::task. The library keeps what it needs in `reserved`.
struct Task;
struct TaskTable {  // of virtual functions
  void (*destroy[2])(Task*);
  Task* (*execute)(Task*, void* execution_data);
  Task* (*cancel)(Task*, void* execution_data);
};
struct Task {
  const TaskTable* table;
  u64 traits;
  u64 reserved[6];
};
static_assert(sizeof(Task) == 64);

// d1::delegate_base
struct Delegate;
struct DelegateTable {
  bool (*call)(const Delegate*);
  void (*destroy[2])(Delegate*);
};
struct Delegate {
  const DelegateTable* table;
};

// The mangled name of the class of an object with virtual functions, or "" if the program was built without it
// (-fno-rtti).
inline const char* class_name(const void* object) {
  struct TypeInfo {
    const void* table;
    const char* name;
  };
  const TypeInfo* type = (*static_cast<const TypeInfo* const* const*>(object))[-1];
  if (!type || !type->name) return "";
  return type->name[0] == '*' ? type->name + 1 : type->name;
}

inline bool contains(const char* text, const char* part) {
  for (; *text; ++text)
    if (starts_with(text, part)) return true;
  return false;
}

// A cache of decisions by the class name of an object, keyed by its vtable: address << 8 | answer. An overwritten
// slot is recomputed.
class ByClass {
 public:
  template <class Decide>
  u8 get(const void* object, Decide decide) {
    const uptr table = *static_cast<const uptr*>(object);
    std::atomic<u64>& slot = slots_[table / sizeof(uptr) % kSlots];
    const u64 known = slot.load(std::memory_order_relaxed);
    if (HEDDLE_LIKELY(known >> 8 == table)) return static_cast<u8>(known);
    const u8 answer = static_cast<u8>(decide(class_name(object)));
    slot.store(u64{table} << 8 | answer, std::memory_order_relaxed);
    return answer;
  }

 private:
  static constexpr u32 kSlots = 256;
  std::atomic<u64> slots_[kSlots] = {};
};

// d1::notify_type
enum class Notice : int { kPrepare, kCancel, kAcquired, kReleasing, kDestroy };

}  // namespace heddle::tbb

#define HEDDLE_TBB_REAL(result, name, mangled, ...)                                                         \
  __attribute__((section("heddle_reals"), used)) static ::heddle::Real<result(__VA_ARGS__)> real_##name = { \
      {"_ZN3tbb6detail2r1" mangled, nullptr, nullptr}}
#define HEDDLE_TBB(result, name, mangled, ...)                                 \
  HEDDLE_TBB_REAL(result, name, mangled, __VA_ARGS__);                         \
  extern "C" __attribute__((visibility("default"), weak))                      \
  result heddle_hook_tbb_##name(__VA_ARGS__) asm("_ZN3tbb6detail2r1" mangled); \
  result heddle_hook_tbb_##name(__VA_ARGS__)
