// Two tasks of one region write one variable: handlers run in turn, tasks do not.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  heddle::region r;
  r.post([] { value = 1; });  // race: A
  r.post([] { value = 2; });  // race: A
  r.await();
  return value > 2;
}
