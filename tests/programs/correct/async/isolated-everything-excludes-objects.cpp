// A section that names nothing excludes those that name objects, too.

#include <heddle/async.hpp>

int a, shared;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::isolated(a, [] { ++shared; }); });
    heddle::async([] { heddle::isolated([] { ++shared; }); });
  });
  return a + shared - 1 - 1;
}
