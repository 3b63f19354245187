// Two memset ranges share one byte.
// expect: race

#include <pthread.h>
#include <string.h>

size_t length = 17;
char buffer[64];

static void* clear(void* at) {
  memset(at, 'x', length);  // race: A
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, clear, buffer);
  pthread_create(&two, 0, clear, buffer + 16);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return buffer[32] != 'x';
}
