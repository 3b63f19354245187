// fwrite reads the buffer it is given; the creator changes a byte of it meanwhile.
// expect: race

#include <pthread.h>
#include <stdio.h>

char record[16] = "fifteen letters";

static void* save(void* file) {
  size_t written = fwrite(record, 1, 15, file);  // race: A
  return written == 15 ? 0 : file;
}

int main(void) {
  pthread_t thread;
  void* failed;
  FILE* file = fopen("/dev/null", "w");
  if (!file) return 1;
  pthread_create(&thread, 0, save, file);
  record[4] = 'X';  // race: A
  pthread_join(thread, &failed);
  return fclose(file) != 0 || failed;
}
