// A forall over the elements of a list. One group holds them all, so that there are two tasks, as published.
// verdict: clean
// tasks: 2
// published: CG 9, GPR 9, PRD -
// classes: 1

#include "prove.h"

#include <list>

int main() {
  std::list<int> elements = {1, 2, 3};
  heddle::forall(elements, heddle::grouped(3), [](int& element) {
    prove::Writes region(&element, sizeof element);
    element *= 2;
  });
  bench::require(elements.back() == 6, "the last element");
}
