// A structure that a call takes or returns by value is read or written there, though no assignment says so.
// expect: race

#include <thread>

struct Five {
  long at[5];
};
Five taken, returned, thrown;
long sum;

__attribute__((noinline)) long last_of(Five five) {
  asm volatile("" : : : "memory");
  return five.at[4];
}
__attribute__((noinline)) Five make(long value) {
  if (value < 0) throw value;
  return {value, value, value, value, value};
}

int main() {
  std::thread other([] {
    sum += last_of(taken);  // race: A
    returned = make(3);     // race: B
    try {
      thrown = make(4);  // race: C
    } catch (long) {
    }
  });
  taken.at[4] = 1;     // race: A
  returned.at[4] = 1;  // race: B
  thrown.at[0] = 1;    // race: C
  other.join();
  return sum == 77;
}
