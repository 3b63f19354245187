// memmove reads its source, too: the creator changes a byte there.
// expect: race

#include <pthread.h>
#include <string.h>

size_t length = 20;
char buffer[64];

static void* shift(void* unused) {
  memmove(buffer + 30, buffer, length);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, shift, 0);
  buffer[10] = 'x';  // race: A
  pthread_join(thread, 0);
  return buffer[10] != 'x';
}
