// What the programs share: heddle/async.hpp, checks of results, and permission regions that end where their block does.
#pragma once

#include <heddle/annotate.h>
#include <heddle/async.hpp>

#include "../bench.h"

namespace prove {

class Reads {
 public:
  Reads(const void* address, std::size_t size) : address_(address), size_(size) {
    heddle_acquireR(address, size);
  }
  ~Reads() { heddle_releaseR(address_, size_); }
  Reads(const Reads&) = delete;
  Reads& operator=(const Reads&) = delete;

 private:
  const void* address_;
  std::size_t size_;
};

class Writes {
 public:
  Writes(const void* address, std::size_t size) : address_(address), size_(size) {
    heddle_acquireW(address, size);
  }
  ~Writes() { heddle_releaseW(address_, size_); }
  Writes(const Writes&) = delete;
  Writes& operator=(const Writes&) = delete;

 private:
  const void* address_;
  std::size_t size_;
};

inline bool is_prime(long n) {
  for (long d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

// One counter for all, and a look at it in isolation.
struct Counter {
  long value = 0;
  void count() {
    Writes region(&value, sizeof value);
    heddle::isolated([this] { ++value; });
  }
};

}  // namespace prove
