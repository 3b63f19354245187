// The elements of a list, one task each.

#include <heddle/async.hpp>

#include <list>

int main() {
  std::list<int> list(10, 1);
  heddle::forall(list, [](int& x) { ++x; });
  heddle::forall(list, heddle::grouped(3), [](int& x) { ++x; });
  return list.back() - 3;
}
