// A base class is passed by value while another thread writes a member of the derived class, which lies in the padding
// at the end of the base.
// expect: clean

#include <thread>

struct Base {
  Base() {}
  long at[3] = {1, 2, 3};
  int x = 4;
  char c = 5;
};
struct Derived : Base {
  char own = 0;
};
static_assert(sizeof(Derived) == sizeof(Base), "own is in the padding");
Derived object;
long sum;

__attribute__((noinline)) long last_of(Base base) {
  asm volatile("" : : : "memory");
  return base.c;
}

int main() {
  std::thread reader([] { sum = last_of(object); });
  object.own = 1;
  reader.join();
  return sum != 5;
}
