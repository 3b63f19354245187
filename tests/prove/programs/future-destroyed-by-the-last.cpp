// prove: race
// Who gives up the last copy of a future destroys its value, and each of the two may be the last.
#include <heddle/async.hpp>
#include <utility>

int count = 0;

struct Counted {
  bool counts = true;
  Counted() = default;
  Counted(Counted&& other) : counts(std::exchange(other.counts, false)) {}
  ~Counted() { count += counts; }
};

int main() {
  heddle::finish([] {
    heddle::future<Counted> value = heddle::async([] { return Counted(); });
    value.get();
    heddle::async([copy = value]() mutable {
      copy = {};
      ++count;
    });
    value = {};
  });
}
