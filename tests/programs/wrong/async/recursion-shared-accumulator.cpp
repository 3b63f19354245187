// All leaves add to one total.
// expect: race

#include <heddle/async.hpp>

long total;

void sum(long from, long to) {
  if (to - from < 8) {
    for (long i = from; i < to; ++i) total += i;  // race: A
    return;
  }
  long middle = (from + to) / 2;
  heddle::finish([&] {
    heddle::async([=] { sum(from, middle); });
    sum(middle, to);
  });
}

int main() {
  sum(0, 64);
  return total < 0;
}
