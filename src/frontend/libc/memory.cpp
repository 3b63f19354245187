// memcpy and its relatives as range accesses: the C library's functions, their fortified forms, and the
// __tsan_mem* calls that clang makes in place of the compiler's own copies.
//
// All code of the process comes through here, including our own runtime and the loader, so the path for calls that do
// not count is two loads and a jump, and works before the real functions are known.
#include <cstring>

#include "frontend/range_call.hpp"

extern "C" [[noreturn]] void __chk_fail();

HEDDLE_REAL(void*, memcpy, void*, const void*, size_t);
HEDDLE_REAL(void*, memmove, void*, const void*, size_t);
HEDDLE_REAL(void*, memset, void*, int, size_t);

namespace {

using namespace heddle;

// No loops: the compiler would turn them into calls of the very functions that they replace.
void* copy_bytes(void* to, const void* from, usize size) {
  void* at = to;
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
  return to;
}
void* copy_bytes_backwards(void* to, const void* from, usize size) {
  void* last_to = static_cast<char*>(to) + size - 1;
  const void* last_from = static_cast<const char*>(from) + size - 1;
  asm volatile("std\n rep movsb\n cld" : "+D"(last_to), "+S"(last_from), "+c"(size) : : "memory");
  return to;
}
void* fill_bytes(void* to, int value, usize size) {
  void* at = to;
  asm volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
  return to;
}

HEDDLE_INLINE void* copy(void* to, const void* from, usize size, RangeCall call) {
  call.reads(from, size);
  call.writes(to, size);
  return HEDDLE_LIKELY(real_memcpy.known()) ? real_memcpy(to, from, size) : copy_bytes(to, from, size);
}
HEDDLE_INLINE void* move(void* to, const void* from, usize size, RangeCall call) {
  call.reads(from, size);
  call.writes(to, size);
  if (HEDDLE_LIKELY(real_memmove.known())) return real_memmove(to, from, size);
  return to <= from ? copy_bytes(to, from, size) : copy_bytes_backwards(to, from, size);
}
HEDDLE_INLINE void* fill(void* to, int value, usize size, RangeCall call) {
  call.writes(to, size);
  return HEDDLE_LIKELY(real_memset.known()) ? real_memset(to, value, size) : fill_bytes(to, value, size);
}
HEDDLE_INLINE void demand(size_t size, size_t room) {
  if (HEDDLE_UNLIKELY(size > room)) __chk_fail();
}

}  // namespace

#define HERE HEDDLE_CALLER, __builtin_frame_address(0)

HEDDLE_DEFINE(void*, memcpy, void* to, const void* from, size_t size) { return copy(to, from, size, {HERE}); }
HEDDLE_DEFINE(void*, memmove, void* to, const void* from, size_t size) {
  return move(to, from, size, {HERE});
}
HEDDLE_DEFINE(void*, memset, void* to, int value, size_t size) { return fill(to, value, size, {HERE}); }
HEDDLE_DEFINE(void*, __tsan_memcpy, void* to, const void* from, size_t size) {
  return copy(to, from, size, {HERE});
}
HEDDLE_DEFINE(void*, __tsan_memmove, void* to, const void* from, size_t size) {
  return move(to, from, size, {HERE});
}
HEDDLE_DEFINE(void*, __tsan_memset, void* to, int value, size_t size) {
  return fill(to, value, size, {HERE});
}

HEDDLE_DEFINE(void*, __memcpy_chk, void* to, const void* from, size_t size, size_t room) {
  demand(size, room);
  return copy(to, from, size, {HERE});
}
HEDDLE_DEFINE(void*, __memmove_chk, void* to, const void* from, size_t size, size_t room) {
  demand(size, room);
  return move(to, from, size, {HERE});
}
HEDDLE_DEFINE(void*, __memset_chk, void* to, int value, size_t size, size_t room) {
  demand(size, room);
  return fill(to, value, size, {HERE});
}

HEDDLE_DEFINE(void*, mempcpy, void* to, const void* from, size_t size) {
  return static_cast<char*>(copy(to, from, size, {HERE})) + size;
}
HEDDLE_DEFINE(void*, __mempcpy, void* to, const void* from, size_t size) {
  return static_cast<char*>(copy(to, from, size, {HERE})) + size;
}
HEDDLE_DEFINE(void*, __mempcpy_chk, void* to, const void* from, size_t size, size_t room) {
  demand(size, room);
  return static_cast<char*>(copy(to, from, size, {HERE})) + size;
}
HEDDLE_DEFINE(void, bcopy, const void* from, void* to, size_t size) { move(to, from, size, {HERE}); }
HEDDLE_DEFINE(void, bzero, void* to, size_t size) { fill(to, 0, size, {HERE}); }
HEDDLE_DEFINE(void, explicit_bzero, void* to, size_t size) { fill(to, 0, size, {HERE}); }

// --- comparing and searching: read as far as the answer needs ----------------------------------------------

HEDDLE_INTERPOSE(int, memcmp, const void* a, const void* b, size_t size) {
  HEDDLE_RANGE_CALL(call);
  if (call) {
    usize same = 0;
    while (same < size && static_cast<const char*>(a)[same] == static_cast<const char*>(b)[same]) ++same;
    usize read = same < size ? same + 1 : size;
    call.reads(a, read);
    call.reads(b, read);
  }
  return real_memcmp(a, b, size);
}
HEDDLE_INTERPOSE(int, bcmp, const void* a, const void* b, size_t size) {
  HEDDLE_RANGE_CALL(call);
  call.reads(a, size);
  call.reads(b, size);
  return real_bcmp(a, b, size);
}
HEDDLE_INTERPOSE(void*, memchr, const void* at, int value, size_t size) {
  HEDDLE_RANGE_CALL(call);
  void* found = real_memchr(at, value, size);
  call.reads(at, found ? address_of(found) - address_of(at) + 1 : size);
  return found;
}
HEDDLE_INTERPOSE(void*, memrchr, const void* at, int value, size_t size) {
  HEDDLE_RANGE_CALL(call);
  void* found = real_memrchr(at, value, size);
  const void* first = found ? found : at;
  call.reads(first, address_of(at) + size - address_of(first));
  return found;
}
HEDDLE_INTERPOSE(void*, memmem, const void* at, size_t size, const void* part, size_t part_size) {
  HEDDLE_RANGE_CALL(call);
  void* found = real_memmem(at, size, part, part_size);
  call.reads(at, found ? address_of(found) - address_of(at) + part_size : size);
  call.reads(part, part_size);
  return found;
}
HEDDLE_INTERPOSE(void*, memccpy, void* to, const void* from, int stop, size_t size) {
  HEDDLE_RANGE_CALL(call);
  void* end = real_memccpy(to, from, stop, size);
  usize copied = end ? address_of(end) - address_of(to) : size;
  call.reads(from, copied);
  call.writes(to, copied);
  return end;
}
