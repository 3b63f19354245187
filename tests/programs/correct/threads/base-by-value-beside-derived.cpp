// A member of the derived class may lie in the tail padding of the base, which a call takes by value: no part of it.
// expect: clean

#include <thread>

struct Base {
  Base() {}
  int number = 1;
  char mark = 1;
};
struct Derived : Base {
  char own = 0;
} object;
Base from;

__attribute__((noinline)) int take(Base base) { return base.number + base.mark; }
__attribute__((noinline)) Base give() { return from; }

int main() {
  int sum = 0;
  std::thread other([&] {
    sum += take(object);
    static_cast<Base&>(object) = give();
  });
  object.own = 1;
  other.join();
  return sum != 2;
}
