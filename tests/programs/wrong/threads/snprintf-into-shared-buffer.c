// snprintf formats into a buffer from which another thread reads a character.
// expect: race

#include <pthread.h>
#include <stdio.h>

char line[32];

static void* format(void* number) {
  snprintf(line, sizeof line, "number %ld", (long)number);  // race: A
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, format, (void*)42);
  char seen = line[2];  // race: A
  pthread_join(thread, 0);
  return seen != 0 && seen != 'm';
}
