// read() fills a buffer that the creator is writing.
// expect: race

#include <pthread.h>
#include <unistd.h>

static int ends[2];
char buffer[16];

static void* receive(void* unused) {
  ssize_t got = read(ends[0], buffer, 8);  // race: A
  return got == 8 ? unused : buffer;
}

int main(void) {
  pthread_t thread;
  void* failed;
  if (pipe(ends) != 0 || write(ends[1], "eight by", 8) != 8) return 1;
  pthread_create(&thread, 0, receive, 0);
  buffer[7] = 'x';  // race: A
  pthread_join(thread, &failed);
  return failed != 0;
}
