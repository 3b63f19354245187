#include "frontend/oracle/hook_calls.hpp"

#include "frontend/oracle/variation.hpp"

using heddle::u16;
using heddle::u32;
using heddle::u64;
using heddle::u8;
using heddle::usize;

// What compilers know without a header.
#define HEDDLE_HOOKS(size)                           \
  extern "C" void __tsan_read##size(void*);          \
  extern "C" void __tsan_write##size(void*);         \
  extern "C" void __tsan_read_write##size(void*);    \
  extern "C" void __tsan_volatile_read##size(void*); \
  extern "C" void __tsan_volatile_write##size(void*);
#define HEDDLE_UNALIGNED_HOOKS(size)                           \
  extern "C" void __tsan_unaligned_read##size(void*);          \
  extern "C" void __tsan_unaligned_write##size(void*);         \
  extern "C" void __tsan_unaligned_read_write##size(void*);    \
  extern "C" void __tsan_unaligned_volatile_read##size(void*); \
  extern "C" void __tsan_unaligned_volatile_write##size(void*);
#define HEDDLE_ATOMIC_HOOKS(bits, T)                                \
  extern "C" T __tsan_atomic##bits##_load(const volatile T*, int);  \
  extern "C" void __tsan_atomic##bits##_store(volatile T*, T, int); \
  extern "C" T __tsan_atomic##bits##_fetch_add(volatile T*, T, int);
HEDDLE_HOOKS(1)
HEDDLE_HOOKS(2)
HEDDLE_HOOKS(4)
HEDDLE_HOOKS(8)
HEDDLE_HOOKS(16)
HEDDLE_UNALIGNED_HOOKS(2)
HEDDLE_UNALIGNED_HOOKS(4)
HEDDLE_UNALIGNED_HOOKS(8)
HEDDLE_UNALIGNED_HOOKS(16)
HEDDLE_ATOMIC_HOOKS(8, u8)
HEDDLE_ATOMIC_HOOKS(16, u16)
HEDDLE_ATOMIC_HOOKS(32, u32)
HEDDLE_ATOMIC_HOOKS(64, u64)
HEDDLE_ATOMIC_HOOKS(128, unsigned __int128)
extern "C" void __tsan_read_range(void*, usize);
extern "C" void __tsan_write_range(void*, usize);
extern "C" void __tsan_read_write_range(void*, usize);
extern "C" void __heddle_rows(void* first, usize size, usize rows, long stride, u32 what);
extern "C" void __heddle_loop_accesses(void* first, usize count, long step, u32 what);
extern "C" void __heddle_thread_accesses(void* first, usize count, long step, u32 what);
extern "C" void __heddle_atomic(const volatile void* address, usize size, unsigned group);
extern "C" void __tsan_func_entry(void*);
extern "C" void __tsan_func_exit();

namespace heddle::oracle {
namespace {

// In no module: reports are not symbolised here.
constexpr uptr kFunctions = 0x1000, kFunctionSize = 16;

// Memory orders as compilers pass them.
constexpr int kRelaxed = 0, kAcquire = 2, kRelease = 3;

void* at(uptr address) { return reinterpret_cast<void*>(address); }
template <class T>
T* at(uptr address) {
  return reinterpret_cast<T*>(address);
}

bool is_width(u32 size) { return size <= 16 && (size & (size - 1)) == 0; }

// The hooks of one width. GCC names unaligned accesses apart, clang those that it knows of.
#define HEDDLE_CALL(size, kind) \
  case size:                    \
    return access.write ? __tsan_##kind##write##size(p) : __tsan_##kind##read##size(p)
#define HEDDLE_CALL_COMPOUND(size, kind) \
  case size:                             \
    return __tsan_##kind##read_write##size(p)

void usual(void* p, const event::Access& access) {
  switch (access.size) {
    HEDDLE_CALL(1, );
    HEDDLE_CALL(2, );
    HEDDLE_CALL(4, );
    HEDDLE_CALL(8, );
    HEDDLE_CALL(16, );
  }
}
void unaligned(void* p, const event::Access& access) {
  switch (access.size) {
    HEDDLE_CALL(1, );
    HEDDLE_CALL(2, unaligned_);
    HEDDLE_CALL(4, unaligned_);
    HEDDLE_CALL(8, unaligned_);
    HEDDLE_CALL(16, unaligned_);
  }
}
void volatile_access(void* p, const event::Access& access) {
  const bool aligned = reinterpret_cast<uptr>(p) % access.size == 0;
  if (aligned) switch (access.size) {
      HEDDLE_CALL(1, volatile_);
      HEDDLE_CALL(2, volatile_);
      HEDDLE_CALL(4, volatile_);
      HEDDLE_CALL(8, volatile_);
      HEDDLE_CALL(16, volatile_);
    }
  switch (access.size) {
    HEDDLE_CALL(2, unaligned_volatile_);
    HEDDLE_CALL(4, unaligned_volatile_);
    HEDDLE_CALL(8, unaligned_volatile_);
    HEDDLE_CALL(16, unaligned_volatile_);
  }
}
void compound(void* p, const event::Access& access) {
  const bool aligned = reinterpret_cast<uptr>(p) % access.size == 0;
  if (aligned) switch (access.size) {
      HEDDLE_CALL_COMPOUND(1, );
      HEDDLE_CALL_COMPOUND(2, );
      HEDDLE_CALL_COMPOUND(4, );
      HEDDLE_CALL_COMPOUND(8, );
      HEDDLE_CALL_COMPOUND(16, );
    }
  switch (access.size) {
    HEDDLE_CALL_COMPOUND(2, unaligned_);
    HEDDLE_CALL_COMPOUND(4, unaligned_);
    HEDDLE_CALL_COMPOUND(8, unaligned_);
    HEDDLE_CALL_COMPOUND(16, unaligned_);
  }
}

void range(uptr address, const event::Access& access) {
  if (access.write && form_of(access.site) == Form::kCompound)
    return __tsan_read_write_range(at(address), access.size);
  access.write ? __tsan_write_range(at(address), access.size) : __tsan_read_range(at(address), access.size);
}

// The widest unit that fits.
u32 unit_of(u32 size) {
  u32 unit = 16;
  while (size % unit) unit /= 2;
  return unit;
}
u32 what(u32 unit, const event::Access& access) {
  const bool reads = !access.write || form_of(access.site) == Form::kCompound;
  return unit << 2 | u32{access.write} << 1 | u32{reads};
}
void loop(uptr address, const event::Access& access, bool down) {
  const u32 unit = unit_of(access.size), count = access.size / unit;
  __heddle_loop_accesses(at(down ? address + access.size - unit : address), count,
                         down ? -static_cast<long>(unit) : static_cast<long>(unit), what(unit, access));
}

// Up or down, whatever the call.
void rows(uptr address, const event::Access& access) {
  const u32 size = access.size % 2 ? access.size : access.size / 2, count = access.size / size;
  const bool down = call_of(access.site) % 2;
  __heddle_rows(at(down ? address + access.size - size : address), size, count,
                down ? -static_cast<long>(size) : static_cast<long>(size), access.write ? 2 : 1);
}

// An atomic operation that orders nothing.
template <class T, class Load, class Store, class Add>
void operate(uptr address, const event::Access& access, Load load, Store store, Add add) {
  if (!access.write)
    load(at<T>(address), kRelaxed);
  else if (form_of(access.site) == Form::kCompound)
    add(at<T>(address), T{1}, kRelaxed);
  else
    store(at<T>(address), T{1}, kRelaxed);
}
#define HEDDLE_OPERATE(bytes, bits, T)                                                   \
  case bytes:                                                                            \
    operate<T>(address, access, __tsan_atomic##bits##_load, __tsan_atomic##bits##_store, \
               __tsan_atomic##bits##_fetch_add);                                         \
    break
// Those that the processor has are aligned: as many as it takes.
void atomic_access(uptr address, const event::Access& access) {
  for (const uptr end = address + access.size; address < end;) {
    u32 width = 16;
    while (address % width || address + width > end) width /= 2;
    switch (width) {
      HEDDLE_OPERATE(1, 8, u8);
      HEDDLE_OPERATE(2, 16, u16);
      HEDDLE_OPERATE(4, 32, u32);
      HEDDLE_OPERATE(8, 64, u64);
      HEDDLE_OPERATE(16, 128, unsigned __int128);
    }
    address += width;
  }
}

}  // namespace

void enter_function(u32 call) { __tsan_func_entry(at(kFunctions + call * kFunctionSize)); }
void leave_function() { __tsan_func_exit(); }
u32 call_of_function(uptr pc) { return static_cast<u32>((pc - kFunctions) / kFunctionSize); }

void access(uptr address, const event::Access& access) {
  if (access.atomic) return atomic_access(address, access);
  if (access.bound)
    return __heddle_thread_accesses(at(address), access.size / unit_of(access.size),
                                    static_cast<long>(unit_of(access.size)),
                                    what(unit_of(access.size), access));
  const Form form = form_of(access.site);
  if (form == Form::kLoop || form == Form::kBackward) return loop(address, access, form == Form::kBackward);
  if (form == Form::kRows) return rows(address, access);
  if (form == Form::kRange || !is_width(access.size)) return range(address, access);
  switch (form) {
    case Form::kUnaligned:
      return unaligned(at(address), access);
    case Form::kVolatile:
      return volatile_access(at(address), access);
    case Form::kCompound:
      return compound(at(address), access);
    default:
      return usual(at(address), access);
  }
}

bool reads_too(const event::Access& access) {
  return access.write && form_of(access.site) == Form::kCompound && !access.atomic;
}

void say_atomic(uptr address, usize size) { __heddle_atomic(at(address), size, 0); }

void release_atomically(uptr address, bool replaces) {
  if (replaces)
    __tsan_atomic64_store(at<u64>(address), 1, kRelease);
  else
    __tsan_atomic64_fetch_add(at<u64>(address), 1, kRelease);
}
void acquire_atomically(uptr address) { __tsan_atomic64_load(at<u64>(address), kAcquire); }

}  // namespace heddle::oracle
