// A growable array for trivially copyable elements, on the runtime's own memory.
#pragma once

#include <cstring>
#include <type_traits>

#include "base/memory.hpp"

namespace heddle {

template <class T>
class Vector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Vector() = default;
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  ~Vector() { reset(); }

  void push_back(const T& value) {
    T copy = value;  // value may live in this very array
    if (size_ == capacity_) grow();
    data_[size_++] = copy;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void reset() {
    memory::release(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }
  // Order is not kept: the last element takes the place.
  void erase_swap(u32 at) { data_[at] = data_[--size_]; }

  u32 size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](u32 at) { return data_[at]; }
  const T& operator[](u32 at) const { return data_[at]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void grow() {
    u32 capacity = capacity_ ? capacity_ * 2 : 4;
    T* data = static_cast<T*>(memory::allocate(capacity * sizeof(T)));
    if (size_) memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
    memory::release(data_, capacity_ * sizeof(T));
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  u32 size_ = 0;
  u32 capacity_ = 0;
};

}  // namespace heddle
