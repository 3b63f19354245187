// memcpy, memset, strcpy and snprintf on neighbouring parts of one buffer; strlen and memcmp on one source.
// expect: clean

#include <pthread.h>
#include <stdio.h>
#include <string.h>

char buffer[64], source[16] = "common source";
size_t length = 13;

static void* lower(void* unused) {
  memcpy(buffer, source, length);
  memset(buffer + 13, '-', length);
  return memcmp(source, "common", 6) == 0 ? unused : buffer;
}

static void* upper(void* unused) {
  strcpy(buffer + 26, source);
  memmove(buffer + 27, buffer + 26, length);
  snprintf(buffer + 40, 24, "%s %d", source, 1);
  return strlen(source) == length ? unused : buffer;
}

int main(void) {
  pthread_t one, two;
  void *first, *second;
  pthread_create(&one, 0, lower, 0);
  pthread_create(&two, 0, upper, 0);
  pthread_join(one, &first);
  pthread_join(two, &second);
  return first || second || buffer[25] != '-' || buffer[26] != 'c' || strcmp(buffer + 40, "common source 1");
}
