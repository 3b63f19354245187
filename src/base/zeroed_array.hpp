// An array inside an object that is made in zeroed memory: its elements begin as zeros, and no page of them is
// touched to make them so.
//
// A thread's caches are large, and most threads use little of them. REQUIRES: the object lies in memory::allocate()d
// memory, and all zeros is how an element may begin. Elements are not destroyed.
#pragma once

#include "base/types.hpp"

namespace heddle {

template <class T, u32 kCount>
union ZeroedArray {
  ZeroedArray() {}
  ~ZeroedArray() {}
  T& operator[](usize at) { return items[at]; }
  const T& operator[](usize at) const { return items[at]; }
  T* begin() { return items; }
  T* end() { return items + kCount; }
  const T* begin() const { return items; }
  const T* end() const { return items + kCount; }

  T items[kCount];
};

}  // namespace heddle
