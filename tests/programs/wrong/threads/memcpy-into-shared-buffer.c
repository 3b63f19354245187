// memcpy writes a range; a single byte at its end is written meanwhile by the creator.
// expect: race

#include <pthread.h>
#include <string.h>

size_t length = 24;
char buffer[32], source[32] = "some twenty-four bytes..";

static void* copy(void* unused) {
  memcpy(buffer, source, length);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, copy, 0);
  buffer[23] = '!';  // race: A
  pthread_join(thread, 0);
  return buffer[0] != 's';
}
