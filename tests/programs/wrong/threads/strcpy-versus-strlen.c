// strlen reads the string, including its end, while strcpy is replacing it.
// expect: race

#include <pthread.h>
#include <string.h>

char text[32] = "short", replacement[32] = "something longer";

static void* replace(void* unused) {
  strcpy(text, replacement);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, replace, 0);
  size_t length = strlen(text);  // race: A
  pthread_join(thread, 0);
  return length > 16;
}
