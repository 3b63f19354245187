// The exception of a future reaches whoever asks, with what it points to.

#include <heddle/async.hpp>

#include <stdexcept>
#include <string>

int main() {
  int caught = 0;
  heddle::finish([&] {
    auto f = heddle::async([]() -> int { throw std::runtime_error(std::string(50, 'e')); });
    for (int i = 0; i < 2; ++i) {
      try {
        f.get();
      } catch (const std::runtime_error& error) {
        caught += static_cast<int>(std::string(error.what()).size());
      }
    }
  });
  return caught - 100;
}
