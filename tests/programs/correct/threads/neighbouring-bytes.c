// Neighbours in one word are different locations: bytes, halves, and bit-fields parted by a zero-width one.
// expect: clean

#include <pthread.h>
#include <stdint.h>

struct flags {
  unsigned mine : 4;
  unsigned : 0;
  unsigned yours : 4;
};
struct flags flags;
_Alignas(8) uint8_t byte[8];
_Alignas(8) uint16_t half[4];

static void* odd(void* unused) {
  for (int i = 1; i < 8; i += 2) byte[i] = 1;
  half[1] = half[3] = 1;
  flags.yours = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, odd, 0);
  for (int i = 0; i < 8; i += 2) byte[i] = 2;
  half[0] = half[2] = 2;
  flags.mine = 1;
  pthread_join(thread, 0);
  return byte[0] + byte[7] != 3 || half[1] + half[2] != 3 || flags.mine + flags.yours != 2;
}
