// Unaligned and vector stores that touch at their ends without sharing a byte.
// expect: clean

#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) unaligned {
  uint32_t value;
};
typedef int v4 __attribute__((vector_size(16), aligned(4)));
_Alignas(16) unsigned char bytes[32];
_Alignas(16) int lanes[12];

static void* low(void* unused) {
  ((struct unaligned*)(bytes + 5))->value = 0x11111111;
  *(v4*)(lanes + 1) = (v4){1, 1, 1, 1};
  return unused;
}

static void* high(void* unused) {
  ((struct unaligned*)(bytes + 9))->value = 0x22222222;
  bytes[4] = 3;
  *(v4*)(lanes + 5) = (v4){2, 2, 2, 2};
  lanes[0] = 3;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, low, 0);
  pthread_create(&two, 0, high, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return bytes[8] != 0x11 || bytes[9] != 0x22 || lanes[4] + lanes[5] != 3;
}
