// Copies of a future in many tasks; whoever drops the last one frees the value.

#include <heddle/async.hpp>

#include <string>

int main() {
  int lengths[8] = {};
  heddle::finish([&] {
    auto text = heddle::async([] { return std::string(40, 'x'); });
    for (int i = 0; i < 8; ++i) heddle::async([text, i, &lengths] { lengths[i] = static_cast<int>(text.get().size()); });
  });
  return lengths[7] - 40;
}
