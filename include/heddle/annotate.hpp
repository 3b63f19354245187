// What is expected to be atomic, said in C++ (docs/atomicity.md); heddle/annotate.h says it in C. Nothing here makes
// anything atomic: Heddle reports where the expectation does not hold. Without Heddle no function is called,
// expect_atomic<T> has the size of a T, and atomic_region is empty.
//
//   heddle::atomic_location(x);               what a task does to x between two constructs that make or await tasks
//                                             is expected to be indivisible
//   heddle::atomic_group(a, b, c);            the same for variables that belong together: an access to one is an
//                                             access to all
//   heddle::expect_atomic<long> balance = 0;  a variable that is annotated for as long as it lives
//   heddle::atomic_region region;             what the task does until the end of the scope is expected to be
//                                             indivisible, whatever it touches
//   heddle::not_atomic(x);                    no longer: for local variables that were annotated by name, before
//                                             they go
#pragma once

#include <utility>

#include "heddle/annotate.h"

// As a type: HEDDLE_EXPECT_ATOMIC(long) balance = 0;
#define HEDDLE_EXPECT_ATOMIC(...) ::heddle::expect_atomic<__VA_ARGS__>

namespace heddle {

template <class T>
void atomic_location([[maybe_unused]] const volatile T& x) {
  HEDDLE_ATOMIC_LOCATION(x);
}

template <class T>
void not_atomic([[maybe_unused]] const volatile T& x) {
  HEDDLE_NOT_ATOMIC(x);
}

template <class... Ts>
void atomic_group([[maybe_unused]] const volatile Ts&... xs) {
#ifdef HEDDLE
  const unsigned group = __heddle_new_atomic_group();
  (__heddle_atomic(&xs, sizeof xs, group), ...);
#endif
}

class atomic_region {
 public:
#ifdef HEDDLE
  atomic_region() { HEDDLE_ATOMIC_REGION_BEGIN(); }
  ~atomic_region() { __heddle_end_atomic_region(); }
#else
  atomic_region() {}
  ~atomic_region() {}
#endif
  atomic_region(const atomic_region&) = delete;
  atomic_region& operator=(const atomic_region&) = delete;
};

template <class T>
class expect_atomic {
 public:
  template <class... Args>
  constexpr expect_atomic(Args&&... args) : value_(std::forward<Args>(args)...) {
    note();
  }
  constexpr expect_atomic(const expect_atomic& other) : value_(other.value_) { note(); }
  constexpr expect_atomic(expect_atomic& other) : value_(other.value_) { note(); }
#ifdef HEDDLE
  ~expect_atomic() { __heddle_not_atomic(&value_, sizeof value_); }
#endif

  expect_atomic& operator=(const expect_atomic& other) {
    value_ = other.value_;
    return *this;
  }
  template <class U>
  T& operator=(U&& value) {
    return value_ = std::forward<U>(value);
  }

  operator T&() { return value_; }
  operator const T&() const { return value_; }
  T& get() { return value_; }
  const T& get() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

  template <class U>
  T& operator+=(const U& by) {
    return value_ += by;
  }
  template <class U>
  T& operator-=(const U& by) {
    return value_ -= by;
  }
  template <class U>
  T& operator*=(const U& by) {
    return value_ *= by;
  }
  template <class U>
  T& operator|=(const U& by) {
    return value_ |= by;
  }
  template <class U>
  T& operator&=(const U& by) {
    return value_ &= by;
  }
  T& operator++() { return ++value_; }
  T& operator--() { return --value_; }
  T operator++(int) { return value_++; }
  T operator--(int) { return value_--; }

 private:
  constexpr void note() {
#ifdef HEDDLE
    __heddle_atomic(&value_, sizeof value_, 0);
#endif
  }

  T value_;
};

}  // namespace heddle
