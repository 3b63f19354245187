// A deferred task runs in the thread that asks for it; an exception travels through the future to the getter.
// expect: clean

#include <future>

int tries;

static int fail() {
  tries++;
  throw 42;
}

int main() {
  auto deferred = std::async(std::launch::deferred, [] { return ++tries; });
  int sum = deferred.get();
  auto failing = std::async(std::launch::async, fail);
  try {
    failing.get();
  } catch (int code) {
    sum += code;
  }
  return sum != 43 || tries != 2;
}
