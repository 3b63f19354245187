// fwrite and fread on a file and a buffer of its own in each thread.
// expect: clean

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* round_trip(void* text) {
  char copy[32] = {0};
  FILE* file = tmpfile();
  if (!file) return text;
  fwrite(text, 1, strlen(text), file);
  rewind(file);
  size_t got = fread(copy, 1, sizeof copy - 1, file);
  fclose(file);
  return got == strlen(text) && strcmp(copy, text) == 0 ? 0 : text;
}

int main(void) {
  pthread_t one, two;
  void *first, *second;
  char left[] = "the left text", right[] = "the other one";
  pthread_create(&one, 0, round_trip, left);
  pthread_create(&two, 0, round_trip, right);
  pthread_join(one, &first);
  pthread_join(two, &second);
  return first || second;
}
