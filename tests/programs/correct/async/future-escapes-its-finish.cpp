// A future may be asked after the finish that joined its task.

#include <heddle/async.hpp>

int main() {
  heddle::future<int> f;
  heddle::finish([&] { f = heddle::async([] { return 3; }); });
  return f.get() - 3;
}
