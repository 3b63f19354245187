// The runtime's own memory functions. Most calls are a few dozen bytes long, so those are copied by words;
// the rest is left to the machine's string instructions, which are about as fast as anything from a cache
// line's length on.
#include "base/types.hpp"

using heddle::u64;
using heddle::u8;
using heddle::usize;

namespace {
struct [[gnu::packed, gnu::may_alias]] Word {
  u64 value;
};
constexpr usize kShort = 128;
}  // namespace

extern "C" {
__attribute__((visibility("hidden"))) void* heddle_own_memcpy(void* to, const void* from, usize size);
__attribute__((visibility("hidden"))) void* heddle_own_memmove(void* to, const void* from, usize size);
__attribute__((visibility("hidden"))) void* heddle_own_memset(void* to, int value, usize size);
__attribute__((visibility("hidden"))) int heddle_own_memcmp(const void* a, const void* b, usize size);
}

void* heddle_own_memcpy(void* to, const void* from, usize size) {
  u8* t = static_cast<u8*>(to);
  auto* f = static_cast<const u8*>(from);
  if (size > kShort) {
    asm volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(size) : : "memory");
    return to;
  }
  for (; size >= 8; size -= 8, t += 8, f += 8)
    reinterpret_cast<Word*>(t)->value = reinterpret_cast<const Word*>(f)->value;
  for (; size; --size) *t++ = *f++;
  return to;
}

void* heddle_own_memmove(void* to, const void* from, usize size) {
  u8* t = static_cast<u8*>(to);
  auto* f = static_cast<const u8*>(from);
  if (t <= f || t >= f + size) return heddle_own_memcpy(to, from, size);
  while (size--) t[size] = f[size];
  return to;
}

void* heddle_own_memset(void* to, int value, usize size) {
  u8* t = static_cast<u8*>(to);
  if (size > kShort) {
    asm volatile("rep stosb" : "+D"(t), "+c"(size) : "a"(value) : "memory");
    return to;
  }
  u64 word = 0x0101010101010101ull * static_cast<u8>(value);
  for (; size >= 8; size -= 8, t += 8) reinterpret_cast<Word*>(t)->value = word;
  for (; size; --size) *t++ = static_cast<u8>(value);
  return to;
}

int heddle_own_memcmp(const void* a, const void* b, usize size) {
  auto* x = static_cast<const u8*>(a);
  auto* y = static_cast<const u8*>(b);
  for (usize i = 0; i < size; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
