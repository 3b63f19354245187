// GCC expands a copy in place also if only a bound of its size is known.
// expect: race

#include <cstdint>
#include <cstring>
#include <thread>

struct Packet {
  std::uint8_t kind, length;
  char data[255];
} packet{1, 40, {}};
char out[256], text[64], blank[128];
volatile unsigned length = 5;

__attribute__((noinline)) void receive(const Packet& from) {
  std::memcpy(out, from.data, from.length);  // race: A B
}

int main() {
  std::thread other([] {
    receive(packet);
    char word[33] = "abcdefgh";
    asm volatile("" : : "r"(word) : "memory");
    const unsigned n = length;
    if (n <= 32) std::memcpy(text, word, n);  // race: C
    std::memset(blank, ' ', n & 63);          // race: D
  });
  packet.data[30] = 1;  // race: A
  out[7] = 1;           // race: B
  text[4] = 'x';        // race: C
  blank[0] = 'x';       // race: D
  other.join();
  return 0;
}
