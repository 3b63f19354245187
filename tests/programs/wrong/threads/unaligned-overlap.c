// Two unaligned four-byte stores share a single byte, just behind an eight-byte boundary.
// expect: race

#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) unaligned {
  uint32_t value;
};
_Alignas(16) unsigned char buffer[32];

static void* store_low(void* at) {
  ((struct unaligned*)at)->value = 0x11111111;  // race: A
  return 0;
}

static void* store_high(void* at) {
  ((struct unaligned*)at)->value = 0x22222222;  // race: A
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store_low, buffer + 5);
  pthread_create(&two, 0, store_high, buffer + 8);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return buffer[5] != 0x11 || buffer[11] != 0x22;
}
