// A thread has the address of a local struct; the creator changes a field of it by name. The field's own address goes
// nowhere, so a compiler's check of that address alone would find nothing to instrument.
// expect: race

#include <functional>
#include <thread>

struct Shared {
  int first = 0;
  int second = 0;
  int many[4] = {};
};

static void change(Shared& shared) {
  shared.second += 1;   // race: A
  shared.many[2] += 1;  // race: B
}

int main() {
  Shared shared;
  std::thread other(change, std::ref(shared));
  shared.second += 1;   // race: A
  shared.many[2] += 1;  // race: B
  other.join();
  return shared.first;
}
