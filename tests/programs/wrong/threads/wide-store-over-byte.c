// An eight-byte store covers both a two-byte and a one-byte store, which do not touch each other.
// expect: race

#include <pthread.h>
#include <stdint.h>

union word {
  uint64_t whole;
  uint16_t half[4];
  uint8_t byte[8];
};
union word word;

static void* store_whole(void* unused) {
  word.whole = 0x0101010101010101;  // race: A B
  return unused;
}

static void* store_half(void* unused) {
  word.half[2] = 0x0202;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store_whole, 0);
  pthread_create(&two, 0, store_half, 0);
  word.byte[7] = 3;  // race: B
  pthread_join(one, 0);
  pthread_join(two, 0);
  return word.byte[0] != 1;
}
