// Errors as values for tool code: a Result holds either what was asked for or a message that a user can act
// on. Taking the wrong one is a programmer's error and ends the tool, in release builds too.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace heddle {

struct Error {
  std::string message;
  bool damaged_input =
      false;  // what a file has in it is not what it should be: cut off, changed, of another kind
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }

  // REQUIRES: the result is a value.
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  // REQUIRES: the result is an error.
  const std::string& error() const { return failure().message; }
  const Error& failure() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace heddle
