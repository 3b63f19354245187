// What a posted task posted and did not join is joined by its poster.

#include <heddle/async.hpp>

int inner;

int main() {
  heddle::region r;
  int handled = 0;
  r.post([&] { r.post([] { inner = 5; }, [&handled] { handled += inner; }); });
  r.await();
  return handled - 5;
}
