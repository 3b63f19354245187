#include "runtime/annotated/bounds.hpp"

namespace heddle::annotated {

constinit Bounds g_bounds;

namespace {
SpinLock g_bounds_lock;
}

void Bounds::add(uptr begin, uptr end) {
  constexpr uptr kLargest = 16;  // an access may begin before it
  begin = begin > kLargest ? begin - kLargest : 0;
  for (uptr page = begin & ~(kPageSize - 1); page < end; page += kPageSize) {
    const u32 bit = bit_of(page);
    pages[bit / 64].fetch_or(u64{1} << (bit % 64), std::memory_order_relaxed);
  }
  SpinGuard guard(g_bounds_lock);
  const uptr low_now = low.load(std::memory_order_relaxed),
             high_now = low_now + length.load(std::memory_order_relaxed);
  const bool first = length.load(std::memory_order_relaxed) == 0;
  const uptr to = first || end > high_now ? end : high_now, from = begin < low_now ? begin : low_now;
  // The longer of the two bounds counts until both are there: a concurrent reader includes too much rather than too
  // little.
  if (from != low_now && !first) length.store(~uptr{0}, std::memory_order_release);
  low.store(from, std::memory_order_release);
  length.store(to - from, std::memory_order_release);
}

void Bounds::add_everything() {
  for (auto& bits : pages) bits.store(~u64{0}, std::memory_order_relaxed);
  SpinGuard guard(g_bounds_lock);
  low.store(0, std::memory_order_release);
  length.store(~uptr{0}, std::memory_order_release);
}

}  // namespace heddle::annotated
