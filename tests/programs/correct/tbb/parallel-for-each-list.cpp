// Elements of a list, which only has forward iterators; each is changed by one call.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for_each.h>

#include <forward_list>

#include "../../workers.hpp"

static int run() {
  std::forward_list<int> list;
  for (int i = 0; i < 40; ++i) list.push_front(i);
  tbb::parallel_for_each(list.begin(), list.end(), [](int& element) { element *= 2; });
  int sum = 0;
  for (int element : list) sum += element;
  return sum != 1560;
}

int main() { return on_workers(run); }
