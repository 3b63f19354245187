// Short integer names and the two compiler hints the access path uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using uptr = std::uintptr_t;
using usize = std::size_t;

#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HEDDLE_INLINE inline __attribute__((always_inline))
#define HEDDLE_NOINLINE __attribute__((noinline))

// How many bits are set. The compiler's own is a call into a shared library on the least of the processors that must
// do.
constexpr u32 count_bits(u32 x) {
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

}  // namespace heddle
